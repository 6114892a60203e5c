/** Numbers and names as people read them. */

const RAISED: Record<string, string> = {
  "0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "5": "⁵", "6": "⁶", "7": "⁷", "8": "⁸", "9": "⁹", "-": "⁻",
};

/** A number in a few digits: 0.0123, 12.3, 1.2·10⁶. */
export function shown(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "–" : value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) {
    const [mantissa, power] = value.toExponential(Math.max(0, digits - 2)).split("e");
    const raised = [...String(Number(power))].map((c) => RAISED[c] ?? c).join("");
    return `${Number(mantissa) === 1 ? "" : `${minus(String(Number(mantissa)))}·`}10${raised}`;
  }
  return minus(String(Number(value.toPrecision(digits))));
}

export function minus(words: string): string {
  return words.replace("-", "−");
}

/** A number of things: 100,000. */
export function counted(many: number): string {
  return many.toLocaleString("en-GB");
}

/** A number of about three digits, as a slider sets it. */
export function rounded(value: number, digits = 3): number {
  return Number(value.toPrecision(digits));
}

export const RULES: Record<string, string> = {
  softmax: "Softmax", unnormalised: "Unnormalised", l2: "L2", sigmoid: "Sigmoid", linear: "Linear", relu: "ReLU",
  sinkhorn: "Sinkhorn", hardmax: "Hardmax",
};

export const KINDS: Record<string, string> = {
  sphere: "Uniform on sphere", gaussian: "Gaussian cloud", cube: "Uniform in a cube", ball: "Uniform in a ball",
  caps: "Caps at random", equiangular: "Equal angles", polygon: "Regular polygon", simplex: "Simplex",
  cross_polytope: "Cross-polytope", icosahedron: "Icosahedron", law: "Gaussian law",
};

export const SCHEMES: Record<string, string> = {
  post_ln: "Post-LN", pre_ln: "Pre-LN", peri_ln: "Peri-LN", mix_ln: "Mix-LN", ngpt: "nGPT", sqrt_ln: "√t-LN",
};
