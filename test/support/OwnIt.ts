import { effect, flakyTest, it, layer, live, prop, scoped, scopedLive } from "@effect/vitest"

// `layer` of @effect/vitest writes its own `effect` and `scoped` over those of the one `it` that all files of a worker share. Without
// this, the tests of every later file run in the layer of an earlier one: without a test clock, or with one that has moved.
Object.assign(it, { effect, flakyTest, layer, live, prop, scoped, scopedLive })
