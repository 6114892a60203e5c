/** What stands behind the tokens: a sphere with its meridians, a circle, axes of the plane or of space. */

import {
  BufferGeometry, Color, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, Mesh, ShaderMaterial,
  SphereGeometry,
} from "three";

export interface Inks {
  line: Color;
  paper: Color;
  body: Color;
}

type Line = { points: number[][]; opacity: number; isClosed?: boolean };

/** Many lines in one buffer: one call draws them all. */
function lines(drawn: Line[], ink: Color): LineSegments {
  const places: number[] = [];
  const tints: number[] = [];
  for (const { points, opacity, isClosed } of drawn) {
    const pairs = isClosed ? points.flatMap((p, k) => [p, points[(k + 1) % points.length]]) : points;
    for (const p of pairs) {
      places.push(...p);
      tints.push(ink.r, ink.g, ink.b, opacity);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(places, 3));
  geometry.setAttribute("color", new Float32BufferAttribute(tints, 4));
  return new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }));
}

const TURN = Array.from({ length: 97 }, (_, k) => (2 * Math.PI * k) / 96).slice(0, 96);

/** A body lit from the eye, its near and far side in one, so that the sphere reads as round and hides nothing. Only paper is
 * behind it, so its colours are mixed here, which costs less than blending. */
function body(inks: Inks): Mesh {
  const screen = (colour: Color) => ({ value: colour.clone().convertLinearToSRGB() });
  const material = new ShaderMaterial({
    depthWrite: false,
    uniforms: { ink: screen(inks.body), paper: screen(inks.paper) },
    vertexShader: `varying float shade;
      void main() {
        vec4 place = modelViewMatrix * vec4(position, 1.0);
        float rim = 1.0 - abs(dot(normalize(normalMatrix * normal), normalize(place.xyz)));
        float clear = 0.95 - 0.16 * rim * rim * rim;
        shade = 1.0 - clear * clear;
        gl_Position = projectionMatrix * place;
      }`,
    fragmentShader: `uniform vec3 ink, paper; varying float shade;
      void main() { gl_FragColor = vec4(mix(paper, ink, shade), 1.0); }`,
  });
  return new Mesh(new SphereGeometry(0.995, 64, 40), material);
}

function sphere(inks: Inks): Group {
  const parallels = [-60, -30, 0, 30, 60].map((latitude) => {
    const z = Math.sin((latitude * Math.PI) / 180);
    const r = Math.sqrt(1 - z * z);
    return { points: TURN.map((a) => [r * Math.cos(a), r * Math.sin(a), z]), opacity: latitude ? 0.16 : 0.3, isClosed: true };
  });
  const meridians = Array.from({ length: 6 }, (_, k) => {
    const a = (Math.PI * k) / 6;
    return { points: TURN.map((b) => [Math.cos(a) * Math.cos(b), Math.sin(a) * Math.cos(b), Math.sin(b)]), opacity: 0.16, isClosed: true };
  });
  return new Group().add(body(inks), lines([...parallels, ...meridians], inks.line));
}

function circle(inks: Inks): Group {
  const round = { points: TURN.map((a) => [Math.cos(a), Math.sin(a), 0]), opacity: 0.6, isClosed: true };
  const cross = { points: [[-0.05, 0, 0], [0.05, 0, 0], [0, -0.05, 0], [0, 0.05, 0]], opacity: 0.4 };
  return new Group().add(lines([round, cross], inks.line));
}

function axes(inks: Inks, dimensions: number): Group {
  const ends = [[1.15, 0, 0], [0, 1.15, 0], [0, 0, 1.15]].slice(0, dimensions);
  const ticks = [];
  for (const at of [-1, -0.5, 0.5, 1]) {
    ticks.push([at, -0.015, 0], [at, 0.015, 0]);
    if (dimensions > 1) ticks.push([-0.015, at, 0], [0.015, at, 0]);
    if (dimensions > 2) ticks.push([-0.015, 0, at], [0.015, 0, at]);
  }
  const straight = { points: ends.flatMap((e) => [e.map((c) => -c), e]), opacity: 0.4 };
  return new Group().add(lines([straight, { points: ticks, opacity: 0.5 }], inks.line));
}

/** A ball seen in projection: tokens of more dimensions fall inside it. */
function shadow(inks: Inks, isSphere: boolean): Group {
  const group = axes(inks, 3);
  if (isSphere) group.add(body(inks));
  return group;
}

export function backdrop(drawn: string, isSphere: boolean, inks: Inks): Group {
  switch (drawn) {
    case "sphere": return sphere(inks);
    case "circle": return circle(inks);
    case "plane": return axes(inks, 2);
    case "line": return axes(inks, 1);
    case "projection": return shadow(inks, isSphere);
    default: return axes(inks, 3);
  }
}
