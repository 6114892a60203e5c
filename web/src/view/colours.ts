/** Colours of clusters: Okabe–Ito, told apart with every common colour blindness, then turns of the hue. */

import { Color } from "three";

const LIGHT = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8a7a00"];
const DARK = ["#4aa8e8", "#ff8a3d", "#2fcf9f", "#e79cc6", "#f5bd45", "#8fd0f7", "#f0e442"];

export function clusterColour(label: number, isDark: boolean): Color {
  if (label < 0) return neutral(isDark);
  const table = isDark ? DARK : LIGHT;
  if (label < table.length) return new Color(table[label]);
  const turn = (0.11 + (label - table.length) * 0.381966) % 1;
  return new Color().setHSL(turn, 0.42, isDark ? 0.66 : 0.46);
}

export function neutral(isDark: boolean): Color {
  return new Color(isDark ? "#9fb4c8" : "#5b7289");
}

/** cividis, at eleven places: dark blue to yellow, the same for every kind of colour vision. */
const CIVIDIS = [
  [0, 32, 77], [0, 48, 111], [57, 72, 107], [87, 93, 109], [112, 113, 115], [138, 134, 121], [165, 156, 116],
  [195, 179, 105], [225, 204, 85], [243, 219, 70], [253, 234, 69],
];

/** How weights are painted: cividis from 0 on, by square roots; where some are negative, blue through white to orange. */
export function painting(values: ArrayLike<number>): { low: number; high: number; colour(value: number): [number, number, number] } {
  let [least, most] = [0, 0];
  for (let k = 0; k < values.length; k++) {
    least = Math.min(least, values[k]);
    most = Math.max(most, values[k]);
  }
  const size = Math.max(most, -least) || 1;
  const root = (value: number) => Math.sign(value) * Math.sqrt(Math.abs(value) / size);
  if (least >= 0) return { low: 0, high: most, colour: (value) => heat(root(value)) };
  return { low: -size, high: size, colour: (value) => diverging(root(value)) };
}

const [BELOW, ZERO, ABOVE] = [[0, 114, 178], [247, 247, 247], [213, 94, 0]];

function diverging(share: number): [number, number, number] {
  const end = share < 0 ? BELOW : ABOVE;
  return ZERO.map((at, c) => at + Math.abs(share) * (end[c] - at)) as [number, number, number];
}

function heat(share: number): [number, number, number] {
  const place = Math.min(1, Math.max(0, share)) * (CIVIDIS.length - 1);
  const low = Math.min(CIVIDIS.length - 2, Math.floor(place));
  const s = place - low;
  return [0, 1, 2].map((c) => CIVIDIS[low][c] * (1 - s) + CIVIDIS[low + 1][c] * s) as [number, number, number];
}
