/** LaTeX of equations of motion as MathML, which browsers draw themselves. */

const LETTERS: Record<string, string> = { Pi: "Π", beta: "β", sigma: "σ", varepsilon: "ε", alpha: "α", tau: "τ", lambda: "λ", eta: "η" };
const SIGNS: Record<string, string> = {
  sum: "∑", langle: "⟨", rangle: "⟩", le: "≤", ge: "≥", in: "∈", leftarrow: "←", dots: "…", "{": "{", "}": "}",
};
const SPACES: Record<string, string> = { ",": "0.17em", " ": "0.3em", quad: "1em", qquad: "1.6em" };
const NAMES = /^(max)$/;

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
// A bar is no relation: it stands close to what it encloses.
const mo = (sign: string) => `<mo${sign === "|" ? ' lspace="0" rspace="0"' : ""}>${escaped(sign === "-" ? "−" : sign)}</mo>`;

/** Commands, spaces after them gone; texts whole; then single characters. */
const TOKENS = /\\text\{[^}]*\}|\\[A-Za-z]+\s*|\\.|[^\s]/g;

class Reader {
  #tokens: string[];
  #at = 0;

  constructor(latex: string) {
    this.#tokens = (latex.match(TOKENS) ?? []).map((token) => (/^\\[A-Za-z]+\s+$/.test(token) ? token.trim() : token));
  }

  /** Everything up to one of these tokens, which is passed over. */
  row(...ends: string[]): string {
    let out = "";
    for (;;) {
      const token = this.#tokens[this.#at];
      if (token === undefined || ends.includes(token)) {
        this.#at++;
        return `<mrow>${out}</mrow>`;
      }
      out += this.#scripted();
    }
  }

  #scripted(): string {
    const isSum = this.#tokens[this.#at] === "\\sum";
    const base = this.#atom();
    const scripts: Record<string, string> = {};
    for (let sign = this.#tokens[this.#at]; sign === "_" || sign === "^"; sign = this.#tokens[this.#at]) {
      this.#at++;
      scripts[sign] = this.#atom();
    }
    const { _: below, "^": above } = scripts;
    if (below && isSum) return `<munder>${base}${below}</munder>`;
    if (below && above) return `<msubsup>${base}${below}${above}</msubsup>`;
    return below ? `<msub>${base}${below}</msub>` : above ? `<msup>${base}${above}</msup>` : base;
  }

  #atom(): string {
    const token = this.#tokens[this.#at++];
    if (token === "{") return this.row("}");
    if (!token.startsWith("\\")) return /[a-z]/i.test(token) ? `<mi>${token}</mi>` : /\d/.test(token) ? `<mn>${token}</mn>` : mo(token);
    if (token.startsWith("\\text{")) return `<mtext>${escaped(token.slice(6, -1)).replaceAll(" ", "\u00a0")}</mtext>`;
    const name = token.slice(1);
    if (LETTERS[name]) return `<mi>${LETTERS[name]}</mi>`;
    if (SIGNS[name]) return mo(SIGNS[name]);
    if (SPACES[name]) return `<mspace width="${SPACES[name]}"></mspace>`;
    if (NAMES.test(name)) return `<mi>${name}</mi>`;
    switch (name) {
      case "dot": return `<mover accent="true">${this.#atom()}<mo>˙</mo></mover>`;
      case "frac": return `<mfrac>${this.#atom()}${this.#atom()}</mfrac>`;
      case "sqrt": return `<msqrt>${this.#atom()}</msqrt>`;
      case "mathbf": return this.#atom().replace("<mn>1</mn>", "<mn>𝟏</mn>");
      case "left": case "right": return this.#atom();
      case "begin": return this.#cases();
    }
    throw new Error(`no MathML is known for ${token}`);
  }

  /** Rows of two columns behind a brace. */
  #cases(): string {
    this.#at += "{cases}".length;
    const rows = [];
    do rows.push(`<mtr><mtd style="text-align: left">${this.row("&")}</mtd><mtd style="text-align: left">${this.row("\\\\", "\\end")}</mtd></mtr>`);
    while (this.#tokens[this.#at - 1] === "\\\\");
    this.#at += "{cases}".length;
    return `<mrow><mo>{</mo><mtable>${rows.join("")}</mtable></mrow>`;
  }
}

/** One element for each of the equations, so that a narrow page can put them below each other. */
export function mathml(latex: string): string {
  const parts = latex.split(/(?<=,)\\qquad /);
  return parts.map((part) => `<math displaystyle="true">${new Reader(part).row()}</math>`).join("");
}
