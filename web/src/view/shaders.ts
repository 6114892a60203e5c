/** Tokens are moved by the graphics card: a segment is uploaded once, a frame sets one number.
 *
 * Colours come as the screen shows them (sRGB): turning them there for every pixel would cost more than all the rest. */

export const VERTEX = /* glsl */ `
attribute vec3 x0, v0, x1, v1, tint;
attribute float size;
uniform float s, h, scale, pixels, chosen;
uniform bool curved, sphere, fades;
uniform vec3 paper;
varying vec3 colour;
varying float ring;

void main() {
  float r = 1.0 - s;
  vec3 p = curved
    ? (1.0 + 2.0 * s) * r * r * x0 + s * s * (3.0 - 2.0 * s) * x1 + h * s * r * (r * v0 - s * v1)
    : r * x0 + s * x1;
  if (sphere) p = normalize(p);
  p *= scale;
  vec4 place = modelViewMatrix * vec4(p, 1.0);
  vec3 eye = (modelViewMatrix * vec4(0.0, 0.0, 0.0, 1.0)).xyz;
  float facing = dot(normalize(place.xyz - eye + vec3(0.0, 0.0, 1e-9)), -normalize(eye));
  float alpha = 1.0;
  if (fades) alpha = sphere ? mix(0.22, 1.0, smoothstep(-0.2, 0.25, facing))
                            : mix(0.45, 1.0, smoothstep(-1.2, 0.6, place.z - eye.z));
  bool isChosen = abs(float(gl_VertexID) - chosen) < 0.5;
  ring = isChosen ? 1.0 : 0.0;
  colour = mix(paper, tint, alpha);
  gl_PointSize = pixels * size * (isChosen ? 1.9 : 1.0) * clamp(length(eye) / max(-place.z, 1e-3), 0.5, 2.0);
  gl_Position = projectionMatrix * place;
}`;

export const FRAGMENT = /* glsl */ `
uniform vec3 paper;
varying vec3 colour;
varying float ring;

void main() {
  vec2 q = 2.0 * gl_PointCoord - 1.0;
  float r2 = dot(q, q);
  if (r2 > 0.98) discard;
  vec3 shade = colour * (1.07 - 0.07 * r2 - 0.045 * q.y);
  if (ring > 0.5) shade = r2 > 0.8 ? colour * 0.85 : r2 > 0.52 ? mix(paper, vec3(0.73), 0.1) : shade;
  gl_FragColor = vec4(shade, smoothstep(1.0, 0.72, r2));
}`;
