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
  const films = ENDINGS.filter(filmType).map((ending): Export => (
    { kind: ending, name: `Film, ${FILMS[ending].name}`, words: "one pass through the run", isPossible: can.film }
  ));
  const seen: Export[] = [{ kind: "png", name: "Picture", words: "PNG of the stage as it is now", isPossible: true }, ...films];
  if (!can.live) return seen;
  return [
    ...seen,
    { kind: "html", name: "Page that plays by itself", words: "one HTML file, no Python, no network", isPossible: can.page },
    { kind: "toml", name: "Scenario", words: "TOML for `attnflow run`", isPossible: can.scenario },
    { kind: "python", name: "Python", words: "the same run in a script", isPossible: can.scenario },
    { kind: "link", name: "Copy link", words: "the whole state is in the address", isPossible: can.link },
  ];
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

/** Kinds of film by the ending of their file, each with what browsers call it, the best first. */
const FILMS = {
  webm: { name: "WebM", types: ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"] },
  mp4: { name: "MP4", types: ["video/mp4;codecs=avc1.640033", "video/mp4;codecs=avc1.42E033", "video/mp4"] },
};
export type Ending = keyof typeof FILMS;
const ENDINGS = Object.keys(FILMS) as Ending[];

/** What this browser calls such a film; nothing where it cannot make one. */
function filmType(ending: Ending): string | undefined {
  if (typeof MediaRecorder === "undefined") return undefined;
  return FILMS[ending].types.find((type) => MediaRecorder.isTypeSupported(type));
}

export function isFilm(kind: string): kind is Ending {
  return kind in FILMS;
}

/** Film the stage until it is stopped; `done` gets the film. */
export function film(ending: Ending, stage: HTMLCanvasElement, words: () => [string, string], isDark: boolean, done: (film: Blob) => void): Filming {
  const type = filmType(ending);
  const canvas = picture(stage, ...words(), isDark);
  const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: type, videoBitsPerSecond: 8_000_000 });
  const parts: Blob[] = [];
  recorder.ondataavailable = (event) => parts.push(event.data);
  recorder.onstop = () => done(new Blob(parts, { type }));
  recorder.start();
  return { take: () => compose(canvas, stage, ...words(), isDark), stop: () => recorder.state !== "inactive" && recorder.stop() };
}
