import { Context } from "effect"
import type { Events } from "../events/Events.ts"

/** The opened event file itself, for what is not a question of the port. */
export class EventFile extends Context.Tag("adapters/sqlite/EventFile")<EventFile, Events>() {}
