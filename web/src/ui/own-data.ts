/** Own data: a file is a scenario, tokens, or states of layers; a dropped folder names a stored run. */

import { parse } from "smol-toml";
import type { Scenario } from "../state.ts";

const MOST = 2 ** 26;

export type Given = { scenario: Scenario } | { name: string; data: ArrayBuffer };

/** What a file holds; what cannot be read is one clear line. */
export async function read(file: File): Promise<Given> {
  if (file.size > MOST) throw new Error(`${file.name}: ${Math.round(file.size / 2 ** 20)} MB; at most 64 MB are read`);
  if (!/\.toml$/i.test(file.name)) return { name: file.name, data: await bytes(file) };
  try {
    return { scenario: parse(await file.text()) as Scenario };
  } catch (error) {
    throw new Error(`${file.name} is not TOML: ${String((error as Error).message).split("\n")[0]}`);
  }
}

async function bytes(file: File): Promise<ArrayBuffer> {
  try {
    return await file.arrayBuffer();
  } catch {
    throw new Error(`${file.name} cannot be read`);
  }
}

/** The name of a dropped folder. */
export function folderOf(drop: DataTransfer): string | null {
  const entry = drop.items?.[0]?.webkitGetAsEntry?.();
  return entry?.isDirectory ? entry.name : null;
}
