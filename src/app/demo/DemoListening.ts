import { Layer } from "effect"
import { DemoEntranceRoute } from "../../http/demo/DemoEntrance.ts"
import { DemoJob } from "../../jobs/Demo.ts"
import type { Configuration } from "../Config.ts"
import { ListenWith } from "../Server.ts"
import { announceDemo, announceEntrance, DemoServices } from "./DemoStudio.ts"

/** Pages answer once the demo studio is there; then it goes on. */
export const DemoListening = ({ host, port }: Configuration) =>
  Layer.effectDiscard(announceEntrance(host)).pipe(
    Layer.provide(ListenWith(host, port, DemoEntranceRoute)),
    Layer.merge(DemoJob),
    Layer.provide(Layer.effectDiscard(announceDemo)),
    Layer.provide(DemoServices)
  )
