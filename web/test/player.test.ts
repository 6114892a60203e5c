import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Attention } from "../src/attention.ts";
import { Conversation } from "../src/conversation.ts";
import { framed, readKnot, unframed } from "../src/frames.ts";
import { Clock, mergings, Path, tokenAt } from "../src/player.ts";
import { Playhead } from "../src/playhead.ts";
import { Run } from "../src/run.ts";
import { consistent, dimension, edited, fromLink, type Scenario, set, toLink } from "../src/state.ts";
import { painting } from "../src/view/colours.ts";
import { Detail, FINEST, sampling } from "../src/view/detail.ts";
import { shown } from "../src/words.ts";

const knot = (t: number, angle: number) => ({
  t, n: 1, d: 2, isSphere: true,
  x: Float32Array.of(Math.cos(angle), Math.sin(angle), 0),
  v: Float32Array.of(-Math.sin(angle), Math.cos(angle), 0),
});

test("a rotation is followed between its knots", () => {
  const path = new Path();
  for (let k = 0; k <= 100; k++) path.add(knot(k / 10, k / 10));
  const out = [0, 0, 0];
  for (const t of [0.03, 1.234, 5.05, 9.999]) {
    tokenAt(path.at(t), 0, out, 0);
    // 32-bit numbers hold seven digits; the cubic itself errs by (1/10)⁴/384.
    assert.ok(Math.hypot(out[0] - Math.cos(t), out[1] - Math.sin(t)) < 1e-6);
  }
});

test("knots out of order are sorted, and one at the same time replaces the other", () => {
  const path = new Path();
  for (const t of [0, 0, 2, 1, 3]) path.add(knot(t, t));
  assert.deepEqual(path.knots.map((k) => k.t), [0, 1, 2, 3]);
  assert.equal(path.end, 3);
});

test("before the first and after the last knot time stands still", () => {
  const path = new Path();
  for (const t of [1, 2]) path.add(knot(t, t));
  assert.equal(path.at(0).s, 0);
  assert.equal(path.at(9).s, 1);
});

test("knots without velocities are joined by straight lines", () => {
  const path = new Path();
  path.add({ t: 0, n: 1, d: 3, isSphere: false, x: Float32Array.of(0, 0, 0), v: null });
  path.add({ t: 4, n: 1, d: 3, isSphere: false, x: Float32Array.of(4, 8, 0), v: null });
  const out = [0, 0, 0];
  tokenAt(path.at(1), 0, out, 0);
  assert.deepEqual(out, [1, 2, 0]);
});

test("clocks go there and back", () => {
  for (const kind of ["linear", "log"] as const) {
    const clock = new Clock(kind, 4e6, 0.01);
    for (const u of [0, 0.1, 0.5, 0.9, 1]) assert.ok(Math.abs(clock.share(clock.time(u)) - u) < 1e-9);
    assert.equal(clock.time(1), 4e6);
  }
});

test("mergings are where the count falls", () => {
  assert.deepEqual(mergings([0, 1, 2, 3], [5, 5, 3, 1]), [{ t: 2, count: 3 }, { t: 3, count: 1 }]);
});

test("a knot that Python wrote is read back", () => {
  const bytes = readFileSync("test/knot.bin");
  const read = readKnot(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer);
  assert.equal(read.t, 2.5);
  assert.equal(read.n, 2);
  assert.ok(read.isSphere);
  assert.deepEqual([...read.x], [1, 0, 0, 0, 1, 0]);
  assert.deepEqual([...read.v!], [0, 0.5, 0, -0.25, 0, 0]);
});

test("framed messages come back", () => {
  const [words, data] = unframed(framed({ do: "upload", name: "é" }, Uint8Array.of(1, 2, 3).buffer));
  assert.deepEqual(words, { do: "upload", name: "é" });
  assert.deepEqual([...new Uint8Array(data)], [1, 2, 3]);
});

test("a link carries the scenario", async () => {
  const shared = { s: { seed: 3, tokens: { kind: "sphere", n: 64, d: 3 } }, v: { speed: 2 } };
  assert.deepEqual(await fromLink(await toLink(shared)), shared);
  assert.equal(await fromLink("#other"), null);
  await assert.rejects(fromLink("#s=AAAA"));
});

test("a link that unpacks to too much is refused", async () => {
  const link = await toLink({ s: { title: "x".repeat(100) }, v: {} });
  assert.ok(link.length < 120);
  await assert.rejects(toLink({ s: { title: Array.from({ length: 1.2e6 }, () => Math.random().toString(36)).join("") }, v: {} }));
});

test("changes keep a scenario consistent", () => {
  const start = { tokens: { kind: "sphere", n: 64, d: 3 }, attention: { rule: "softmax", beta: 4 }, flow: { V: { diagonal: [1, 2, 3] } }, time: { until: 5, tol: 1e-9 } };
  assert.equal(set(start, "attention.rule", "sinkhorn").attention!.eps, 0.25);
  assert.equal("beta" in set(start, "attention.rule", "hardmax").attention!, false);
  assert.deepEqual(set(start, "tokens.d", 2).flow!.V, { diagonal: [1, 2] });
  const noisy = set(start, "flow.noise", 0.3);
  assert.equal("tol" in noisy.time!, false);
  assert.ok(noisy.time!.step > 0);
  assert.equal("step" in set(noisy, "flow.noise", undefined).time!, false);
  assert.equal(dimension(consistent(set(start, "tokens.kind", "polygon"), "")), 2);
  assert.equal(start.attention.rule, "softmax");
});

test("numbers are short", () => {
  assert.deepEqual([0, 1.23456, 4.1e6, -2e-5, 80].map((v) => shown(v)), ["0", "1.23", "4.1·10⁶", "−2·10⁻⁵", "80"]);
});

test("previews go out one at a time, the newest next, and a whole run ends them", async () => {
  const sent: any[] = [];
  const asked: Scenario[] = [];
  const transport = { isLive: true, send: (words: any) => void sent.push(words), start() {}, stop() {} };
  const talk = new Conversation(transport, (scenario) => asked.push(scenario));
  const preview = (seed: number) => talk.mayPreview({ seed }) && talk.ask({ do: "run", scenario: { seed } }, { isPreview: true });
  for (const seed of [1, 2, 3]) preview(seed);
  assert.deepEqual(sent.map((words) => words.scenario.seed), [1]);
  talk.settle();
  assert.deepEqual(asked, [{ seed: 3 }]);
  talk.ask({ do: "run", scenario: { seed: 4 } });
  talk.settle();
  assert.equal(asked.length, 1);
  assert.deepEqual(sent.at(-1), { do: "run", scenario: { seed: 4 }, id: 2, preview: false });
  assert.equal(talk.about({ say: "knot", id: 1 }, null), null);
  assert.equal(talk.about({ say: "knot", id: 2 }, null), talk.next);
});

test("the playhead waits for knots, stops at the end, or begins again", () => {
  const run = new Run(1, false);
  run.start = { until: 10 };
  run.path.add(knot(0, 0));
  run.path.add(knot(5, 0.1));
  run.setClock("linear");
  const head = new Playhead();
  head.set(0.45);
  assert.equal(head.advance(run, 10, {}), false);
  assert.equal(head.u, 0.5);
  run.ended = { t: 10 };
  assert.equal(head.advance(run, 100, { loop: true }), false);
  assert.equal(head.u, 0);
  assert.equal(head.advance(run, 100, {}), true);
  assert.equal(head.u, 1);
  assert.ok(head.trail().every((u) => u < 1 && u > 0.9));
});

test("a crowd is computed to fewer digits, which the scenario says, and a small prompt to all of them", () => {
  const crowd = set({ tokens: { kind: "sphere", n: 64, d: 3 } }, "tokens.n", 100_000);
  assert.deepEqual(crowd.time, { save: 55, tol: 1e-6, method: "tsit5" });
  assert.deepEqual(set(crowd, "tokens.n", 64).time, { save: 55 });
  const given = { tokens: { kind: "sphere", n: 64, d: 3 }, time: { tol: 1e-9 } };
  assert.deepEqual(set(given, "tokens.n", 100_000).time, { save: 55, tol: 1e-9 });
});

test("the beginning of an order of tokens is a sample of all of them", () => {
  for (const n of [1, 2, 3, 10, 1000, 99_999]) assert.deepEqual([...sampling(n)].sort((a, b) => a - b), [...Array(n).keys()]);
  const first = [...sampling(100_000).subarray(0, 1000)].sort((a, b) => a - b);
  const gaps = first.slice(1).map((k, i) => k - first[i]);
  assert.ok(Math.max(...gaps) < 300 && Math.min(...gaps) > 30);
});

test("slow frames are drawn more coarsely, a crowd by a sample, and quick frames never", () => {
  const detail = new Detail();
  detail.restore(500);
  for (let k = 0; k < 100; k++) assert.equal(detail.after(16), FINEST);
  for (let k = 0; k < 100; k++) detail.after(120);
  assert.deepEqual(detail.after(120), { pixels: 0.5, tokens: Infinity });
  detail.restore(100_000);
  assert.equal(detail.after(16), FINEST);
  for (let k = 0; k < 100; k++) detail.after(120);
  assert.equal(detail.after(120).tokens, 10_000);
});

test("a changed scenario does not keep the title of what it was", () => {
  const changed = edited({ title: "Four clusters", seed: 1 });
  assert.equal(changed.title, "Edited from “Four clusters”");
  assert.equal(edited(changed).title, changed.title);
  assert.deepEqual(edited({ seed: 1 }), { seed: 1 });
});

test("negative weights have colours of their own, as strong as positive ones", () => {
  const { low, high, colour } = painting(Float32Array.of(-4, 1, 2));
  assert.deepEqual([low, high], [-4, 4]);
  assert.notDeepEqual(colour(-1), colour(0));
  assert.notDeepEqual(colour(-4), colour(-1));
  assert.notDeepEqual(colour(-1), colour(1));
  const shares = painting(Float32Array.of(0.25, 1));
  assert.deepEqual([shares.low, shares.high], [0, 1]);
  assert.ok(shares.colour(1)[0] > shares.colour(0.25)[0]);
  assert.deepEqual([painting([0, 0]).low, painting([0, 0]).high], [0, 0]);
});

test("the matrix is asked for where the playhead rests, and nothing is left of an old one", async () => {
  const asked: number[] = [];
  const attention = new Attention((words) => asked.push(words.t));
  const run = new Run(1, false);
  run.start = { until: 10, has_matrix: true };
  run.ended = { t: 10 };
  run.setClock("linear");
  const rest = () => new Promise<void>((done) => attention.follow(run, 1, false, () => (attention.ask(run, 1), done())));
  attention.follow(run, 0.5, true, () => undefined);
  attention.follow(run, 1, true, () => undefined);
  assert.deepEqual(asked, [5]);
  await rest();
  assert.deepEqual(asked, [5, 10]);
  const head = new DataView(new ArrayBuffer(36));
  [..."AFM1"].forEach((letter, k) => head.setUint8(k, letter.charCodeAt(0)));
  head.setUint32(12, 1, true);
  attention.hear({ id: 1, n: 10_000, sampled: 2048 }, head.buffer);
  assert.deepEqual([attention.of, attention.words.startsWith("2048 of 10000")], [1, true]);
  attention.forget();
  assert.deepEqual([attention.weights, attention.words], [null, ""]);
});
