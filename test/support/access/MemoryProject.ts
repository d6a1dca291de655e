import { Layer } from "effect"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { addEnvironments } from "./Tenants.ts"

/** Stores in memory with a project, whose id is 1, and its environments 1 and 2: what tests write into these belongs to something. */
export const MemoryProject = Layer.effectDiscard(addEnvironments).pipe(Layer.provideMerge(MemoryStores))
