import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { equation } from "../src/equation.ts";
import { parameters } from "../src/ui/formula.ts";
import { mathml } from "../src/ui/mathml.ts";

/** Scenarios and what `Flow.equation()` says of them; tests/interface/test_page_equations.py writes the file. */
const known: [any, string][] = JSON.parse(readFileSync("test/equations.json", "utf-8"));
const isWhole = ({ tokens }: any) => tokens?.kind === "model" && tokens.keep !== "attention";

test("every equation is that of Python", () => {
  assert.ok(known.length > 100);
  for (const [scenario, latex] of known) assert.equal(equation(scenario), latex, JSON.stringify(scenario));
});

test("every equation can be drawn, its elements closed", () => {
  for (const [scenario] of known) {
    for (const time of [{}, { method: "euler", step: 0.1 }]) {
      const open: string[] = [];
      const drawn = mathml(equation({ ...scenario, time }, { isLayers: true }));
      for (const [, end, name] of drawn.matchAll(/<(\/?)([a-z]+)[^>]*>/g)) end ? assert.equal(open.pop(), name, drawn) : open.push(name);
      assert.deepEqual(open, []);
      assert.doesNotMatch(drawn.replace(/<[^>]*>/g, ""), /\\|undefined|#|@|%/);
      assert.ok(drawn.length > 60);
    }
  }
});

test("MathML has the parts that LaTeX names", () => {
  const inner = (latex: string) => mathml(latex).replace(/^<math[^>]*><mrow>|<\/mrow><\/math>$/g, "");
  assert.equal(inner(String.raw`\dot x_i`), '<msub><mover accent="true"><mi>x</mi><mo>˙</mo></mover><mi>i</mi></msub>');
  assert.equal(inner(String.raw`w^h_{ij}`), "<msubsup><mi>w</mi><mrow><mi>i</mi><mi>j</mi></mrow><mi>h</mi></msubsup>");
  assert.equal(inner(String.raw`\frac{1}{2}<a`), "<mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac><mo>&lt;</mo><mi>a</mi>");
  assert.equal(inner(String.raw`\sum_{j} x`), "<munder><mo>∑</mo><mrow><mi>j</mi></mrow></munder><mi>x</mi>");
  assert.equal(mathml(String.raw`a,\qquad b`).match(/<math/g)!.length, 2);
  assert.throws(() => mathml(String.raw`\nonsense`), /no MathML/);
});

test("what the page does not know has no equation, least of all that of another rule", () => {
  for (const scenario of [{ attention: { rule: "sofmax" } }, { flow: { space: "ball" } }, { flow: { normalisation: "own" } }]) {
    assert.equal(equation(scenario), "");
  }
});

test("layers are written as layers, and a trained layer is not said to be its attention", () => {
  const time = { method: "euler", step: 0.1 };
  assert.match(equation({ time }, { isLayers: true }), /^x_i \\leftarrow N\\left\(x_i\+\\eta/);
  assert.match(equation({ time, flow: { normalisation: "pre_ln" } }, { isLayers: true }), /^x_i \\leftarrow x_i\+\\eta\\,a_i,/);
  const whole = known.find(([scenario]) => isWhole(scenario))![0];
  assert.match(equation(whole, { isLayers: true }), /f_i\(x_1/);
});

test("parameters are those of the rule", () => {
  const heads = [{ rule: "softmax", beta: 4 }, { rule: "softmax", V: -1 }];
  assert.deepEqual(parameters({ attention: { heads } }), ["V = I"]);
  assert.deepEqual(parameters({ attention: { rule: "softmax", beta: 4 } }), ["β = 4", "B = I", "V = I"]);
  assert.deepEqual(parameters({ attention: { rule: "unnormalised", scale: "sum", slope: 0.2 }, flow: { V: -1 } }), [
    "β = 1", "c = n", "B = I", "V = −I", "λ = 0.2",
  ]);
  assert.deepEqual(parameters({ attention: { rule: "l2", B: 2 } }), ["β = 1", "Q = K = √B", "B = 2 I", "V = I"]);
  assert.deepEqual(parameters({ attention: { rule: "mine" } }), ["V = I"]);
  assert.deepEqual(parameters({ tokens: { kind: "model", model: "random" } }), ["f is the layer as trained"]);
});
