/** Out again: pictures, video, scenario, Python, one HTML file. */

import type { Words } from "../transport.ts";

export interface Export {
  kind: string;
  name: string;
  words: string;
  isPossible: boolean;
}

/** What the menu offers: a page that plays by itself knows no scenario, and a notebook has no link. */
export function exports(can: { live: boolean; film: boolean; page: boolean; scenario: boolean; link: boolean }): Export[] {
  const all: [string, string, string, boolean][] = [
    ["png", "Picture", "PNG of the stage as it is now", true],
    ["webm", "Film", "one pass through the run", can.film],
    ["html", "Page that plays by itself", "one HTML file, no Python, no network", can.page],
    ["toml", "Scenario", "TOML for `attnflow run`", can.scenario],
    ["python", "Python", "the same run in a script", can.scenario],
    ["link", "Copy link", "the whole state is in the address", can.link],
  ];
  const shown = can.live ? all : all.slice(0, 2);
  return shown.map(([kind, name, words, isPossible]) => ({ kind, name, words, isPossible }));
}

export function save(name: string, data: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(data);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function fileName(title: string, ending: string): string {
  const stem = title.toLowerCase().normalize("NFKD").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 48);
  return `${stem || "attnflow"}.${ending}`;
}

/** Save words that the session wrote. */
export function saveText(title: string, { kind, text }: Words): void {
  const types: Record<string, [string, string]> = { toml: ["toml", "application/toml"], python: ["py", "text/x-python"], html: ["html", "text/html"] };
  const [ending, type] = types[kind];
  save(fileName(title, ending), new Blob([text], { type }));
}

/** The strip of words below a picture, as a share of the stage. */
const STRIP = 0.085;

/** The stage on paper, with its title and its time below. */
export function picture(stage: HTMLCanvasElement, title: string, words: string, isDark: boolean): HTMLCanvasElement {
  const out = document.createElement("canvas");
  // Even numbers: films need them.
  out.width = stage.width & ~1;
  out.height = Math.round(stage.height * (1 + STRIP)) & ~1;
  compose(out, stage, title, words, isDark);
  return out;
}

function compose(out: HTMLCanvasElement, stage: HTMLCanvasElement, title: string, words: string, isDark: boolean): void {
  const tall = Math.round(out.height / (1 + STRIP));
  const size = Math.round((out.height - tall) * 0.3);
  const pen = out.getContext("2d")!;
  pen.fillStyle = isDark ? "#10151b" : "#fbfaf7";
  pen.fillRect(0, 0, out.width, out.height);
  pen.drawImage(stage, 0, 0, out.width, tall);
  pen.fillStyle = isDark ? "#e8edf2" : "#1d2733";
  pen.font = `600 ${size}px Inter, system-ui, sans-serif`;
  pen.fillText(title, size, tall + size * 1.1, out.width - 2 * size);
  pen.font = `${size}px Inter, system-ui, sans-serif`;
  pen.fillStyle = isDark ? "#8b9aa9" : "#6b7886";
  pen.fillText(words, size, tall + size * 2.5, out.width - 2 * size);
}

export interface Filming {
  /** Take another frame, right after the stage has drawn it. */
  take(): void;
  stop(): void;
}

/** Film the stage until it is stopped; `done` gets the film. Nothing where the browser cannot record. */
export function film(stage: HTMLCanvasElement, words: () => [string, string], isDark: boolean, done: (film: Blob, ending: string) => void): Filming | null {
  const kinds = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];
  const kind = typeof MediaRecorder === "undefined" ? undefined : kinds.find((k) => MediaRecorder.isTypeSupported(k));
  if (!kind) return null;
  const canvas = picture(stage, ...words(), isDark);
  const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: kind, videoBitsPerSecond: 8_000_000 });
  const parts: Blob[] = [];
  recorder.ondataavailable = (event) => parts.push(event.data);
  recorder.onstop = () => done(new Blob(parts, { type: kind }), kind.includes("mp4") ? "mp4" : "webm");
  recorder.start();
  return { take: () => compose(canvas, stage, ...words(), isDark), stop: () => recorder.state !== "inactive" && recorder.stop() };
}
