const forced = matchMedia("(forced-colors: active)")

const load = () => {
  if (forced.matches) void import("./ForcedColors.ts")
}

// Few ask for it, so nobody else waits for the style.
load()
forced.addEventListener("change", load)
