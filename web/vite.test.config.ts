import { defineConfig } from "vite";

/** Node 20 runs no TypeScript: tests are bundled first. */
export default defineConfig({
  build: {
    ssr: true,
    rolldownOptions: { input: ["test/player.test.ts", "test/formula.test.ts"] },
    outDir: "node_modules/.tests",
    emptyOutDir: true,
    target: "node20",
  },
});
