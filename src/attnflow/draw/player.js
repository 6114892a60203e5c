(() => {
for (const player of document.querySelectorAll(".player:not([data-ready])")) {
  const frames = JSON.parse(player.querySelector("script").textContent);
  const [image, button, slider] = ["img", "button", "input"].map((name) => player.querySelector(name));
  player.dataset.ready = 1;
  let timer = null;
  const show = (k) => { slider.value = k; image.src = frames[k]; };
  const stop = () => { clearInterval(timer); timer = null; button.textContent = "▶"; };
  const next = () => (+slider.value + 1 < frames.length ? show(+slider.value + 1) : stop());
  const play = () => {
    if (+slider.value === frames.length - 1) show(0);
    timer = setInterval(next, 50);
    button.textContent = "⏸";
  };
  button.onclick = () => (timer ? stop() : play());
  slider.oninput = () => { stop(); show(+slider.value); };
  player.onkeydown = (event) => {
    if (event.key === " " && event.target !== button) { event.preventDefault(); button.click(); }
  };
}
})();
