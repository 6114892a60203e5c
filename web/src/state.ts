/** The scenario as plain data, with the keys of its TOML file; changes that keep it consistent; the link that carries it. */

export type Table = Record<string, any>;

export interface Scenario {
  title?: string;
  seed?: number;
  tokens?: Table;
  attention?: Table;
  flow?: Table;
  time?: Table;
  output?: Table;
}

export interface View {
  clock?: "auto" | "linear" | "log";
  speed?: number;
  loop?: boolean;
  projection?: "pca" | "random" | "first";
  trails?: boolean;
  /** Where the playhead stands, as a share of the time bar; in links alone. */
  at?: number;
}

export interface Shared {
  s: Scenario;
  v: View;
}

const RULE_KEYS: Record<string, string[]> = {
  softmax: ["B", "Q", "K", "beta"], unnormalised: ["B", "Q", "K", "beta", "scale"], l2: ["B", "Q", "K", "beta"],
  sigmoid: ["B", "Q", "K", "beta", "bias", "total"], linear: ["B", "Q", "K", "beta"], relu: ["B", "Q", "K", "beta"],
  sinkhorn: ["B", "Q", "K", "eps", "iterations", "tol"], hardmax: ["B", "Q", "K", "ties", "others"],
};
const MASKS = ["causal", "positions", "table", "slope", "average"];
const KIND_KEYS: Record<string, string[]> = {
  sphere: ["n", "d", "sampling"], gaussian: ["n", "d", "mean", "cov", "sampling"], cube: ["n", "d", "low", "high"],
  ball: ["n", "d", "radius", "centre"], caps: ["n", "d", "centres", "angle"], equiangular: ["n", "d", "cos"],
  polygon: ["n", "phase"], simplex: ["d"], cross_polytope: ["d"], icosahedron: [], law: ["d", "mean", "cov"],
};

export function copy<T>(value: T): T {
  return structuredClone(value);
}

/** A changed scenario is no longer what its title says. */
export function edited(scenario: Scenario): Scenario {
  const { title } = scenario;
  return !title || title.startsWith("Edited from ") ? scenario : { ...scenario, title: `Edited from “${title}”` };
}

/** The value at a path such as "attention.beta". */
export function get(scenario: Scenario, path: string): any {
  return path.split(".").reduce<any>((table, key) => table?.[key], scenario);
}

/** The scenario with another value at a path, made consistent; undefined removes the key. */
export function set(scenario: Scenario, path: string, value: unknown): Scenario {
  const changed = copy(scenario) as Table;
  const keys = path.split(".");
  const last = keys.pop()!;
  let table = changed;
  for (const key of keys) table = table[key] ??= {};
  if (value === undefined) delete table[last];
  else table[last] = value;
  return consistent(changed, path);
}

/** What follows from one change: keys that another rule, kind or clock does not take go, needed ones come. */
export function consistent(scenario: Scenario, path: string): Scenario {
  if (path === "tokens.kind") changeKind(scenario);
  if (path === "attention.rule") changeRule(scenario.attention!);
  if (path === "flow.space") changeSpace(scenario.flow!);
  if (path === "flow.normalisation") changeScheme(scenario.flow!);
  if (path.startsWith("time.until") && Array.isArray(scenario.time?.save)) scenario.time!.save = scenario.time!.save.length;
  if (path === "tokens.n" || path === "tokens.kind") {
    dropSizes(scenario);
    fitSaves(scenario);
    fitDigits(scenario);
  }
  changeNoise(scenario);
  fitMatrices(scenario);
  return scenario;
}

function changeKind(scenario: Scenario): void {
  const tokens = scenario.tokens!;
  const keys = KIND_KEYS[tokens.kind];
  if (!keys) return;
  const kept = Object.fromEntries(Object.entries(tokens).filter(([key]) => key === "kind" || keys.includes(key)));
  if (keys.includes("n")) kept.n ??= 128;
  if (keys.includes("d")) kept.d ??= dimension(scenario) ?? 3;
  if (tokens.kind === "caps") Object.assign(kept, { centres: kept.centres ?? 3, angle: kept.angle ?? 0.5 });
  if (tokens.kind === "equiangular") {
    kept.cos ??= 0.5;
    kept.n = Math.min(kept.n, 32);
    kept.d = Math.max(kept.d, kept.n);
  }
  if (tokens.kind === "law") {
    delete kept.mean;
    scenario.flow = { ...scenario.flow, space: "euclidean" };
    delete scenario.flow.normalisation;
    delete scenario.flow.noise;
  }
  scenario.tokens = kept;
}

function changeRule(attention: Table): void {
  delete attention.heads;
  const before = attention.beta ?? (attention.eps ? 1 / attention.eps : undefined);
  const keys = ["rule", ...(RULE_KEYS[attention.rule] ?? []), ...MASKS];
  for (const key of Object.keys(attention)) if (!keys.includes(key)) delete attention[key];
  if (attention.rule === "sinkhorn") attention.eps ??= before ? Number((1 / before).toPrecision(3)) : 1;
  else if (keys.includes("beta") && typeof before === "number") attention.beta ??= Number(before.toPrecision(3));
}

function changeSpace(flow: Table): void {
  if (flow.space === "euclidean") for (const key of ["normalisation", "tau", "alpha"]) delete flow[key];
  else delete flow.rescaled;
}

function changeScheme(flow: Table): void {
  if (flow.normalisation === "mix_ln") flow.tau ??= 5;
  else delete flow.tau;
  if (flow.normalisation !== "ngpt") delete flow.alpha;
}

/** Masses and masks of the old number of tokens go; blocks are cut anew. */
function dropSizes(scenario: Scenario): void {
  if (scenario.tokens) delete scenario.tokens.mass;
  const { attention } = scenario;
  if (!attention) return;
  const blocks = attention.positions && new Set(attention.positions).size;
  for (const key of ["positions", "table"]) delete attention[key];
  const n = tokenCount(scenario);
  if (blocks && n) attention.positions = positionsOf(Math.min(blocks, n), n);
}

/** States that the explorer plays of all tokens together; crowds are saved at fewer times. */
const MOST_STATES = 2 ** 27 / 24;

function fitSaves(scenario: Scenario): void {
  const time = (scenario.time ??= {});
  const fits = Math.max(2, Math.floor(MOST_STATES / (tokenCount(scenario) ?? 1)));
  if (!Array.isArray(time.save) && (time.save ?? 101) > fits) time.save = fits;
}

/** Tokens of which nobody sees the last digits, and how they are computed: twice as fast. */
export const CROWD = 20_000;
const FEW_DIGITS = { tol: 1e-6, method: "tsit5" };

/** A crowd is computed to fewer digits, unless the scenario says how; the scenario says so then. */
function fitDigits({ time = {}, ...scenario }: Scenario): void {
  const isCrowd = (tokenCount(scenario) ?? 0) > CROWD;
  if (!isCrowd && time.tol === FEW_DIGITS.tol && time.method === FEW_DIGITS.method) ["tol", "method"].forEach((key) => delete time[key]);
  if (isCrowd && time.tol === undefined && time.method === undefined) Object.assign(time, FEW_DIGITS);
}

/** Positions in [0, 1] of tokens in consecutive blocks of about one size. */
function positionsOf(blocks: number, n: number): number[] {
  return Array.from({ length: n }, (_, i) => Math.floor((i * blocks) / n) / blocks);
}

/** The scenario with another mask: none, causal, or a number of blocks, of which a token hears its own and earlier ones. */
export function withMask(scenario: Scenario, mask: "all" | "causal" | number): Scenario {
  const { causal, positions, table, ...rest } = scenario.attention ?? {};
  if (mask === "all") delete rest.average;
  if (mask === "causal") rest.causal = true;
  if (typeof mask === "number") {
    const n = tokenCount(scenario) ?? 2;
    rest.positions = positionsOf(Math.max(1, Math.min(Math.round(mask), n)), n);
    delete rest.slope;
  }
  return { ...scenario, attention: rest };
}

export function isLayered(scenario: Scenario): boolean {
  return scenario.time?.method === "euler";
}

/** Whether tokens and flow are those of a Transformer. */
export function isOfModel(scenario: Scenario): boolean {
  return scenario.tokens?.kind === "model";
}

function changeNoise(scenario: Scenario): void {
  const time = (scenario.time ??= {});
  const noise = scenario.flow?.noise;
  if (noise !== undefined && noise !== null) {
    for (const key of ["tol", "steady", "merge", "method"]) delete time[key];
    time.step ??= Math.max(0.02, (time.until ?? 10) / 5000);
  } else if (!["euler", "midpoint", "heun", "rk4"].includes(time.method ?? "")) delete time.step;
}

/** The dimension of the tokens, where the scenario says it. */
export function dimension(scenario: Scenario): number | undefined {
  const tokens = scenario.tokens ?? {};
  if (typeof tokens.d === "number") return tokens.d;
  if (Array.isArray(tokens.x)) return tokens.x[0]?.length;
  return { polygon: 2, circle_nodes: 2, icosahedron: 3, cell_600: 4, sphere_nodes: 3 }[tokens.kind as string];
}

export function tokenCount(scenario: Scenario): number | undefined {
  const tokens = scenario.tokens ?? {};
  return typeof tokens.n === "number" ? tokens.n : Array.isArray(tokens.x) ? tokens.x.length : undefined;
}

/** Matrices that are written out follow the dimension. */
function fitMatrices(scenario: Scenario): void {
  const d = dimension(scenario);
  if (!d) return;
  for (const [table, key] of [[scenario.flow, "V"], [scenario.attention, "B"]] as [Table | undefined, string][]) {
    const value = table?.[key];
    if (Array.isArray(value) && value.length !== d) table![key] = fitted(value, d);
    if (Array.isArray(value?.diagonal) && value.diagonal.length !== d) {
      table![key] = { diagonal: Array.from({ length: d }, (_, i) => value.diagonal[i] ?? 1) };
    }
  }
}

function fitted(rows: number[][], d: number): number[][] {
  return Array.from({ length: d }, (_, i) => Array.from({ length: d }, (_, j) => rows[i]?.[j] ?? (i === j ? 1 : 0)));
}

// ---- links -----------------------------------------------------------------------------------------------------------

async function through(stream: CompressionStream | DecompressionStream, data: Uint8Array, most: number): Promise<Uint8Array> {
  const writer = stream.writable.getWriter();
  writer.write(data as BufferSource).catch(() => undefined);
  writer.close().catch(() => undefined);
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = stream.readable.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) throw new Error("the link is too long");
    parts.push(value);
  }
  const out = new Uint8Array(size);
  let place = 0;
  for (const part of parts) {
    out.set(part, place);
    place += part.length;
  }
  return out;
}

const MOST = 2 ** 23;

export async function toLink(shared: Shared): Promise<string> {
  const data = new TextEncoder().encode(JSON.stringify(shared));
  const packed = await through(new CompressionStream("deflate-raw"), data, MOST);
  let text = "";
  for (const byte of packed) text += String.fromCharCode(byte);
  return `#s=${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

export async function fromLink(hash: string): Promise<Shared | null> {
  const found = /^#s=([\w-]+)$/.exec(hash);
  if (!found) return null;
  const text = atob(found[1].replaceAll("-", "+").replaceAll("_", "/"));
  const data = await through(new DecompressionStream("deflate-raw"), Uint8Array.from(text, (c) => c.charCodeAt(0)), MOST);
  const shared = JSON.parse(new TextDecoder().decode(data));
  if (typeof shared?.s !== "object" || shared.s === null) throw new Error("the link holds no scenario");
  return { s: shared.s, v: viewOf(shared.v) };
}

/** What a link says of the view, as far as it makes sense. */
function viewOf(given: any): View {
  const { clock, speed, loop, projection, trails, at } = given ?? {};
  return {
    ...(["linear", "log"].includes(clock) ? { clock } : {}),
    ...(speed > 0 && speed <= 16 ? { speed: Number(speed) } : {}),
    ...(loop === true ? { loop } : {}),
    ...(["pca", "random", "first"].includes(projection) ? { projection } : {}),
    ...(trails === false ? { trails } : {}),
    ...(at >= 0 && at <= 1 ? { at: Number(at) } : {}),
  };
}
