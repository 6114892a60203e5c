const open = () => {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (target) { target.closest("details").open = true; target.scrollIntoView(); }
};
addEventListener("hashchange", open);
open();
