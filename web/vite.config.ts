import { gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

/** The page stays light: raw and compressed bytes of the one module. */
const MOST = { raw: 1_000_000, gzip: 300_000 };

function budget(): Plugin {
  return {
    name: "budget",
    generateBundle(_, bundle) {
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type !== "chunk") continue;
        const raw = Buffer.byteLength(part.code);
        const gzip = gzipSync(part.code, { level: 9 }).length;
        this.info(`${name}: ${raw} bytes, ${gzip} compressed`);
        if (raw > MOST.raw || gzip > MOST.gzip) this.error(`${name} is too large: ${raw} bytes, ${gzip} compressed`);
      }
    },
  };
}

export default defineConfig({
  build: {
    outDir: "../src/attnflow/interfaces/explore/static",
    emptyOutDir: true,
    target: "es2022",
    cssCodeSplit: false,
    lib: { entry: "src/main.ts", formats: ["es"], fileName: () => "explorer.js" },
    minify: true,
  },
  plugins: [budget()],
});
