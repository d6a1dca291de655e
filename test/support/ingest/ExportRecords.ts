import { NodeContext } from "@effect/platform-node"
import { Chunk, Effect, Option, Stream } from "effect"
import { join } from "node:path"
import { exportMapping } from "../../../src/cli/ImportMapping.ts"
import { exportRecords } from "../../../src/cli/ImportRecords.ts"
import { openSource } from "../../../src/cli/ImportSource.ts"
import { playerIds } from "../../../src/domain/ingest/exports/PlayerIds.ts"
import type { ExportOrigin } from "../../../src/domain/ingest/exports/ExportMapping.ts"
import { root } from "../Server.ts"

/** The path of a small export of another product. */
export const fixture = (name: string) => join(root, "test/fixtures/exports", name)

/** The records that an import makes of an export, by its own mapping. */
export const recordsOf = (origin: ExportOrigin, file: string) =>
  Effect.gen(function* () {
    const mapping = yield* exportMapping(origin, Option.none())
    const source = yield* openSource(file, false)
    const records = exportRecords(source, origin, mapping, playerIds([]), () => Effect.void)
    return Chunk.toReadonlyArray(yield* Stream.runCollect(records))
  }).pipe(Effect.provide(NodeContext.layer))
