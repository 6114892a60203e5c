/** What stands behind the tokens: a sphere with its meridians, a circle, axes of the plane or of space. */

import {
  BufferGeometry, Color, DoubleSide, Float32BufferAttribute, Group, LineBasicMaterial, LineLoop, LineSegments, Mesh, ShaderMaterial,
  SphereGeometry,
} from "three";

export interface Inks {
  line: Color;
  paper: Color;
  body: Color;
}

function loop(points: number[][], ink: Color, opacity: number): LineLoop {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(points.flat(), 3));
  return new LineLoop(geometry, new LineBasicMaterial({ color: ink, transparent: true, opacity, depthWrite: false }));
}

function lines(points: number[][], ink: Color, opacity: number): LineSegments {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(points.flat(), 3));
  return new LineSegments(geometry, new LineBasicMaterial({ color: ink, transparent: true, opacity, depthWrite: false }));
}

const TURN = Array.from({ length: 97 }, (_, k) => (2 * Math.PI * k) / 96).slice(0, 96);

/** A body lit from the eye, so that the sphere reads as round without hiding its far side. */
function body(inks: Inks): Mesh {
  const material = new ShaderMaterial({
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
    uniforms: { ink: { value: inks.body } },
    vertexShader: `varying float rim;
      void main() {
        vec4 place = modelViewMatrix * vec4(position, 1.0);
        rim = abs(dot(normalize(normalMatrix * normal), normalize(place.xyz)));
        gl_Position = projectionMatrix * place;
      }`,
    fragmentShader: `uniform vec3 ink; varying float rim;
      void main() {
        gl_FragColor = vec4(ink, 0.05 + 0.16 * pow(1.0 - rim, 3.0));
        #include <colorspace_fragment>
      }`,
  });
  return new Mesh(new SphereGeometry(0.995, 64, 40), material);
}

function sphere(inks: Inks): Group {
  const group = new Group();
  group.add(body(inks));
  for (const latitude of [-60, -30, 0, 30, 60]) {
    const z = Math.sin((latitude * Math.PI) / 180);
    const r = Math.sqrt(1 - z * z);
    group.add(loop(TURN.map((a) => [r * Math.cos(a), r * Math.sin(a), z]), inks.line, latitude ? 0.16 : 0.3));
  }
  for (let k = 0; k < 6; k++) {
    const a = (Math.PI * k) / 6;
    group.add(loop(TURN.map((b) => [Math.cos(a) * Math.cos(b), Math.sin(a) * Math.cos(b), Math.sin(b)]), inks.line, 0.16));
  }
  return group;
}

function circle(inks: Inks): Group {
  const group = new Group();
  group.add(loop(TURN.map((a) => [Math.cos(a), Math.sin(a), 0]), inks.line, 0.6));
  group.add(lines([[-0.05, 0, 0], [0.05, 0, 0], [0, -0.05, 0], [0, 0.05, 0]], inks.line, 0.4));
  return group;
}

function axes(inks: Inks, dimensions: number): Group {
  const group = new Group();
  const ends = [[1.15, 0, 0], [0, 1.15, 0], [0, 0, 1.15]].slice(0, dimensions);
  group.add(lines(ends.flatMap((e) => [e.map((c) => -c), e]), inks.line, 0.4));
  const ticks = [];
  for (const at of [-1, -0.5, 0.5, 1]) {
    ticks.push([at, -0.015, 0], [at, 0.015, 0]);
    if (dimensions > 1) ticks.push([-0.015, at, 0], [0.015, at, 0]);
    if (dimensions > 2) ticks.push([-0.015, 0, at], [0.015, 0, at]);
  }
  group.add(lines(ticks, inks.line, 0.5));
  return group;
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
