import assert from "node:assert/strict";
import { test } from "node:test";
import { formula, parameters } from "../src/ui/formula.ts";

/** The letters of a template, without its tags. */
function written(part: any): string {
  if (!part?.strings) return typeof part === "string" ? part : "";
  return part.strings.map((words: string, i: number) => words + written(part.values[i])).join("").replace(/<[^>]*>/g, "");
}

const heads = [{ rule: "softmax", beta: 4 }, { rule: "softmax", V: -1 }];

test("heads have weights and values of their own, and no one temperature", () => {
  for (const scenario of [{ attention: { heads } }, { tokens: { kind: "model", model: "random", keep: "attention" } }]) {
    assert.match(written(formula(scenario)), /∑hVh∑jAijh/);
    assert.ok(!parameters(scenario).some((chip) => chip.startsWith("β")));
  }
  assert.deepEqual(parameters({ attention: { rule: "softmax", beta: 4 } }), ["β = 4"]);
});

test("a whole layer is not said to be its attention", () => {
  const scenario = { tokens: { kind: "model", model: "random" } };
  assert.match(written(formula(scenario)), /fi\(x1,…,xn\)/);
  assert.deepEqual(parameters(scenario), ["f is the layer as trained"]);
});
