/** The stage: tokens as points, their trails, and a camera to turn, zoom and move. */

import {
  BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Group, PerspectiveCamera, Points, Scene, ShaderMaterial, Sphere, Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Knot } from "../frames.ts";
import { extent, isCurved, type Path, type Segment, tokenAt } from "../player.ts";
import { backdrop } from "./backdrop.ts";
import { clusterColour, neutral } from "./colours.ts";
import { FINEST, type Grain, sampling } from "./detail.ts";
import { FRAGMENT, VERTEX } from "./shaders.ts";
import { isSoftware } from "./software.ts";
import { Trails } from "./trails.ts";

/** Nothing is culled, and three need not measure what the shader moves. */
const EVERYWHERE = new Sphere(new Vector3(), 2);
/** The picture stands a little low, as a share of its height: title and equation are above it. */
const LOWERED = 0.045;
const SLOTS = ["x0", "v0", "x1", "v1"] as const;

export interface Look {
  drawn: string;
  isSphere: boolean;
  mass: number[] | null;
  labels: number[] | null;
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  #renderer: WebGLRenderer;
  #scene = new Scene();
  #camera = new PerspectiveCamera(30, 1, 0.01, 200);
  #controls: OrbitControls;
  #geometry = new BufferGeometry();
  #material: ShaderMaterial;
  #points: Points;
  #trails = new Trails();
  #behind = new Group();
  #knots: [Knot | null, Knot | null] = [null, null];
  #look: Look = { drawn: "sphere", isSphere: true, mass: null, labels: null };
  #isDark = false;
  #paper = new Color();
  #path: Path | null = null;
  #extents = new WeakMap<Knot, number>();
  #grain = FINEST;
  /** What the last frame was asked to show. */
  #shown: [number, number[]] = [0, []];
  showsTrails = true;
  chosen = -1;
  /** Whether a pointer turns, moves or zooms the picture. */
  isHeld = false;
  /** Set when something changed that the next frame must show. */
  isStale = true;

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    this.#renderer = new WebGLRenderer({ canvas, antialias: !isSoftware() });
    this.#controls = new OrbitControls(this.#camera, canvas);
    this.#controls.addEventListener("change", () => (this.isStale = true));
    this.#controls.addEventListener("start", () => (this.isHeld = true));
    this.#controls.addEventListener("end", () => (this.isHeld = false));
    this.#controls.enableDamping = false;
    canvas.addEventListener("webglcontextrestored", () => (this.isStale = true));
    this.#camera.up.set(0, 0, 1);
    const uniforms = {
      s: 0, h: 1, scale: 1, pixels: 8, chosen: -1, curved: false, sphere: true, fades: true, paper: this.#paper,
    };
    this.#material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      uniforms: Object.fromEntries(Object.entries(uniforms).map(([name, value]) => [name, { value }])),
    });
    this.#points = new Points(this.#geometry, this.#material);
    this.#points.frustumCulled = false;
    this.#geometry.boundingSphere = EVERYWHERE;
    this.#scene.add(this.#behind, this.#trails.lines, this.#points);
  }

  /** Another kind of stage; the camera is set anew only where the kind changes. */
  setLook(look: Look, isDark: boolean): void {
    const isOther = look.drawn !== this.#look.drawn || this.#behind.children.length === 0;
    const isRedrawn = isOther || isDark !== this.#isDark || look.isSphere !== this.#look.isSphere;
    this.#look = look;
    this.#isDark = isDark;
    this.#paper.set(isDark ? "#10151b" : "#fbfaf7");
    this.#renderer.setClearColor(this.#paper);
    this.#material.uniforms.paper.value = this.#paper.clone().convertLinearToSRGB();
    if (isRedrawn) this.#setBackdrop();
    if (isOther) this.resetCamera();
    this.#colour();
    this.isStale = true;
  }

  #setBackdrop(): void {
    for (const old of this.#behind.children) (old as Group).traverse((part: any) => (part.geometry?.dispose(), part.material?.dispose()));
    this.#behind.clear();
    const line = new Color(this.#isDark ? "#8fa3b8" : "#51606f");
    const body = new Color(this.#isDark ? "#9db7d0" : "#4d6b88");
    this.#behind.add(backdrop(this.#look.drawn, this.#look.isSphere, { line, paper: this.#paper, body }));
  }

  get isFlat(): boolean {
    return ["circle", "plane", "line"].includes(this.#look.drawn);
  }

  resetCamera(): void {
    this.#controls.target.set(0, 0, 0);
    const distance = this.#distance();
    const from = this.isFlat ? new Vector3(0, -1e-4, 1) : new Vector3(0.75, -1, 0.55);
    this.#camera.position.copy(from.normalize().multiplyScalar(distance));
    this.#controls.enableRotate = !this.isFlat;
    this.#controls.mouseButtons.LEFT = this.isFlat ? 2 : 0;
    this.#controls.touches.ONE = this.isFlat ? 1 : 0;
    this.#controls.screenSpacePanning = true;
    this.#controls.minDistance = 0.4;
    this.#controls.maxDistance = 30;
    this.#controls.update();
    this.isStale = true;
  }

  /** The farthest that tokens may be from the middle: on the axes, or in the corners between them. */
  get #reach(): number {
    const { drawn, isSphere } = this.#look;
    if (drawn === "circle" || drawn === "line") return 1.2;
    if (drawn === "plane") return 1.24;
    return isSphere ? 1.26 : 1.6;
  }

  #distance(): number {
    const half = Math.tan((this.#camera.fov * Math.PI) / 360);
    return this.#reach / (half * Math.min(1 - 2 * LOWERED, this.#camera.aspect));
  }

  /** Draw coarsely, or finely again. */
  setGrain(grain: Grain): void {
    const ratio = grain.pixels * Math.min(2, window.devicePixelRatio || 1);
    if (grain === this.#grain && ratio === this.#renderer.getPixelRatio()) return;
    this.#grain = grain;
    this.#renderer.setPixelRatio(ratio);
    this.isStale = true;
  }

  /** Tokens that the last frame shows. */
  get drawn(): number {
    return Math.min(this.#path?.n ?? 0, this.#grain.tokens);
  }

  resize(width: number, height: number): void {
    const isFirst = this.#camera.aspect === 1;
    this.setGrain(FINEST);
    this.#renderer.setSize(width, height, false);
    const before = this.#distance();
    this.#camera.aspect = width / Math.max(1, height);
    this.#camera.setViewOffset(width, height, 0, -LOWERED * height, width, height);
    if (isFirst) this.resetCamera();
    else this.#camera.position.multiplyScalar(this.#distance() / before);
    this.isStale = true;
  }

  setPath(path: Path): void {
    this.#path = path;
    if (path.n !== (this.#geometry.getAttribute("x0")?.count ?? -1)) this.#allocate(path.n);
    this.#knots = [null, null];
    if (this.chosen >= path.n) this.chosen = -1;
    this.isStale = true;
  }

  #allocate(n: number): void {
    this.#geometry.dispose();
    this.#geometry = new BufferGeometry();
    for (const name of [...SLOTS, "tint"]) {
      const attribute = new BufferAttribute(new Float32Array(3 * n), 3);
      this.#geometry.setAttribute(name, attribute.setUsage(DynamicDrawUsage));
    }
    this.#geometry.setAttribute("size", new BufferAttribute(new Float32Array(n).fill(1), 1));
    // three counts vertices by "position"; the shader does not read it.
    this.#geometry.setAttribute("position", this.#geometry.getAttribute("x0"));
    const order = sampling(n);
    this.#geometry.setIndex(new BufferAttribute(order, 1));
    this.#geometry.boundingSphere = EVERYWHERE;
    this.#points.geometry = this.#geometry;
    this.#colour();
    this.#trails.allocate(order, EVERYWHERE);
  }

  colourOf(i: number): Color {
    const label = this.#look.labels?.[i];
    return label === undefined ? neutral(this.#isDark) : clusterColour(label, this.#isDark);
  }

  #colour(): void {
    const tint = this.#geometry.getAttribute("tint") as BufferAttribute | undefined;
    const size = this.#geometry.getAttribute("size") as BufferAttribute | undefined;
    if (!tint || !size) return;
    const mass = this.#look.mass;
    const known = new Map<number, Color>();
    for (let i = 0; i < tint.count; i++) {
      const label = this.#look.labels?.[i] ?? -1;
      let colour = known.get(label);
      if (!colour) known.set(label, (colour = this.colourOf(i).convertLinearToSRGB()));
      tint.setXYZ(i, colour.r, colour.g, colour.b);
      size.setX(i, mass ? Math.min(3, Math.max(0.5, Math.sqrt(mass[i] * mass.length))) : 1);
    }
    tint.needsUpdate = size.needsUpdate = true;
    this.#trails.forgetColours();
  }

  /** Draw the run at a time; `trail` lists earlier times, the latest first. */
  draw(t: number, trail: number[]): void {
    const path = this.#path;
    if (!path?.knots.length) return;
    this.#shown = [t, trail];
    const segment = path.at(t);
    this.#upload(segment);
    const u = this.#material.uniforms;
    const height = this.canvas.clientHeight || 600;
    u.s.value = segment.s;
    u.h.value = segment.b.t - segment.a.t;
    u.curved.value = isCurved(segment);
    u.sphere.value = segment.a.isSphere;
    u.scale.value = this.scale(segment);
    u.fades.value = !this.isFlat;
    u.chosen.value = this.chosen;
    u.pixels.value = this.#renderer.getPixelRatio() * Math.min(15, Math.max(2.4, 0.022 * height * (150 / this.drawn) ** 0.3));
    this.#geometry.setDrawRange(0, this.drawn);
    this.#trails.draw(path, this.showsTrails ? [t, ...trail] : [], (time) => this.scale(path.at(time)), (i) => this.colourOf(i));
    this.#renderer.render(this.#scene, this.#camera);
    this.isStale = false;
  }

  /** The canvas with the last frame in it, at its finest: browsers clear it once they have shown it. */
  snapshot(): HTMLCanvasElement {
    this.setGrain(FINEST);
    this.draw(...this.#shown);
    return this.canvas;
  }

  #upload({ a, b }: Segment): void {
    if (this.#knots[0] === a && this.#knots[1] === b) return;
    for (const [name, values] of [["x0", a.x], ["v0", a.v], ["x1", b.x], ["v1", b.v]] as [string, Float32Array | null][]) {
      const attribute = this.#geometry.getAttribute(name) as BufferAttribute;
      if (values) (attribute.array as Float32Array).set(values);
      attribute.needsUpdate = true;
    }
    this.#knots = [a, b];
  }

  /** In R^d the picture follows the size of the prompt; on a sphere it is fixed. */
  scale({ a, b, s }: Segment): number {
    if (this.#look.isSphere) return 1;
    const size = (knot: Knot) => {
      let known = this.#extents.get(knot);
      if (known === undefined) this.#extents.set(knot, (known = Math.max(extent(knot), 1e-30)));
      return known;
    };
    return Math.exp(-((1 - s) * Math.log(size(a)) + s * Math.log(size(b))));
  }

  /** The token nearest to a place on the canvas, within a finger's reach; −1 if there is none. */
  pick(x: number, y: number, t: number): number {
    const path = this.#path;
    if (!path?.knots.length) return -1;
    const segment = path.at(t);
    const scale = this.scale(segment);
    const here = [0, 0, 0];
    const at = new Vector3();
    let best = -1;
    let least = 18 ** 2;
    let nearest = Infinity;
    for (let i = 0; i < path.n; i++) {
      tokenAt(segment, i, here, 0);
      at.set(here[0] * scale, here[1] * scale, here[2] * scale).project(this.#camera);
      const dx = ((at.x + 1) / 2) * this.canvas.clientWidth - x;
      const dy = ((1 - at.y) / 2) * this.canvas.clientHeight - y;
      const apart = dx * dx + dy * dy;
      if (apart < least - 16 || (apart < least + 16 && at.z < nearest)) {
        [best, least, nearest] = [i, Math.min(least, apart), at.z];
      }
    }
    return best;
  }

  /** Turn or move by the keyboard. */
  turn(right: number, up: number): void {
    const offset = this.#camera.position.clone().sub(this.#controls.target);
    if (this.isFlat) {
      this.#controls.target.add(new Vector3(right * 0.1, up * 0.1, 0));
      this.#camera.position.add(new Vector3(right * 0.1, up * 0.1, 0));
    } else {
      const radius = offset.length();
      const azimuth = Math.atan2(offset.y, offset.x) + right * 0.1;
      const height = Math.min(1.5, Math.max(-1.5, Math.asin(offset.z / radius) + up * 0.1));
      offset.set(Math.cos(height) * Math.cos(azimuth), Math.cos(height) * Math.sin(azimuth), Math.sin(height)).multiplyScalar(radius);
      this.#camera.position.copy(this.#controls.target).add(offset);
    }
    this.#controls.update();
    this.isStale = true;
  }

  zoom(factor: number): void {
    this.#camera.position.sub(this.#controls.target).multiplyScalar(factor).add(this.#controls.target);
    this.#controls.update();
    this.isStale = true;
  }

  dispose(): void {
    this.#controls.dispose();
    this.#geometry.dispose();
    this.#trails.dispose();
    this.#renderer.dispose();
  }
}
