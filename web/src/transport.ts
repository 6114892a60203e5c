/** How the page talks to a session: a socket, a notebook's channel, or what an exported file recorded. */

import { framed, unframed } from "./frames.ts";

export type Words = Record<string, any>;
export type Hear = (words: Words, data: ArrayBuffer | null) => void;
export type Status = "connecting" | "open" | "reconnecting" | "recorded" | "refused";

export interface Transport {
  /** Whether a session answers; a recorded run only plays. */
  isLive: boolean;
  send(words: Words, data?: ArrayBuffer): void;
  start(hear: Hear, status: (now: Status) => void): void;
  stop(): void;
}

/** One WebSocket; when it breaks, another is tried, ever more slowly. */
export class Socket implements Transport {
  isLive = true;
  #socket: WebSocket | null = null;
  #wait = 500;
  #timer = 0;
  #isStopped = false;
  #address: string;

  constructor(address: string) {
    this.#address = address;
  }

  start(hear: Hear, status: (now: Status) => void): void {
    const socket = new WebSocket(this.#address);
    let isRefused = false;
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.onopen = () => {
      this.#wait = 500;
      status("open");
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") {
        const words = JSON.parse(data);
        isRefused ||= words.final === true;
        hear(words, null);
      } else hear(...unframed(data));
    };
    socket.onclose = () => {
      if (this.#isStopped) return;
      status(isRefused ? "refused" : "reconnecting");
      if (isRefused) return;
      this.#timer = window.setTimeout(() => this.start(hear, status), this.#wait);
      this.#wait = Math.min(5000, this.#wait * 1.6);
    };
  }

  send(words: Words, data?: ArrayBuffer): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(data ? framed(words, data) : JSON.stringify(words));
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }
}

/** The channel of a notebook (anywidget). */
export class Comm implements Transport {
  isLive = true;
  #model: any;
  #listener: ((words: Words, buffers: DataView[]) => void) | null = null;

  constructor(model: any) {
    this.#model = model;
  }

  start(hear: Hear, status: (now: Status) => void): void {
    this.#listener = (words, buffers) => {
      const view = buffers?.[0];
      hear(words, view ? (view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength) as ArrayBuffer) : null);
    };
    this.#model.on("msg:custom", this.#listener);
    status("open");
  }

  send(words: Words, data?: ArrayBuffer): void {
    this.#model.send(words, undefined, data ? [data] : []);
  }

  stop(): void {
    if (this.#listener) this.#model.off("msg:custom", this.#listener);
    this.#model.send({ do: "stop" });
  }
}

/** The bytes of base64; a plain loop, for a run may have a hundred million. */
function decoded(text: string): ArrayBuffer {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let k = 0; k < letters.length; k++) bytes[k] = letters.charCodeAt(k);
  return bytes.buffer;
}

/** What a session said of one run, kept in an exported file. */
export class Recorded implements Transport {
  isLive = false;
  #said: Words[];

  constructor(said: Words[]) {
    this.#said = said;
  }

  start(hear: Hear, status: (now: Status) => void): void {
    status("recorded");
    for (const { data, ...words } of this.#said) {
      hear(words, data ? decoded(data) : null);
    }
  }

  send(): void {}

  stop(): void {}
}
