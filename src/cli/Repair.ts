import { Command, Options } from "@effect/cli"
import { Console, Effect } from "effect"
import { options } from "../app/Config.ts"
import { ifStopped } from "../services/operations/Stopping.ts"
import { describeUnseen, isLossless, isWhole, type SalvageReport } from "../domain/operations/Salvage.ts"
import { loaded } from "./Loaded.ts"
import { counted } from "../domain/Counted.ts"

/** Tables that are whole say nothing to a program either. */
const concise = (report: SalvageReport) => ({
  isLossless: isLossless(report),
  environments: report.environments,
  losses: report.losses,
  metadata: report.metadata.filter((table) => !isWhole(table)),
  events: report.events.filter((table) => !isWhole(table)),
  notes: report.notes,
  withoutSums: report.withoutSums
})

export const RepairCommand = Command.make(
  "repair",
  {
    data: options.data,
    to: Options.text("to").pipe(
      Options.withDescription("New folder for what can be read; it must not exist, or be empty")
    ),
    json: Options.boolean("json").pipe(Options.withDescription("Say what was kept and lost as JSON"))
  },
  Effect.fnUntraced(function* ({ data, to, json }) {
    yield* ifStopped(`nothing was repaired, and ${data} is as it was; ${to} holds at most a part: delete it`)
    const { repairFolder, repairLines } = yield* loaded(() => import("../app/commands/DataFiles.ts"))
    const report = yield* repairFolder({ data, to })
    if (json) return yield* Console.log(JSON.stringify(concise(report), null, 2))
    for (const line of repairLines(report)) yield* Console.log(`LOST ${line}`)
    for (const file of report.withoutSums) yield* Console.log(`ok   ${describeUnseen(file)}`)
    for (const { environmentId, markers } of report.environments)
      yield* Console.log(`ok   Environment ${environmentId} keeps ${counted(markers, "marker")}`)
    yield* Console.log(
      isLossless(report)
        ? `${to} holds everything that ${data} held`
        : `${to} holds what is left of ${data}, which was not changed. Compare what is lost with your newest backup before you go on with it`
    )
  })
).pipe(Command.withDescription("Make a new data folder of what can be read of a damaged one, and say what is lost"))
