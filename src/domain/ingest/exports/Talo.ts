import { unquotedCsv } from "../CsvMapping.ts"
import type { ExportDialect } from "./ExportDialect.ts"
import { type ExportedEvent, idOf, listed, typedCell } from "./ExportedEvent.ts"

/** The files of an export beside those of events, `events-1.csv` and so on; in older exports they have no numbers. */
const otherFiles =
  /(^|\/)(players|playerAliases|leaderboardEntries|gameStats|playerGameStats|gameActivities|gameFeedback)(-\d+)?\.csv(\.(gz|br))?$/

/** What the alias of a player that is no longer there says in each of its columns. */
const gone = "undefined"

/** Each prop has a column of its own, which is empty for events without it, and its values have lost their types. */
const normalized = (event: ExportedEvent): ExportedEvent => {
  const fields: Array<[string, unknown]> = []
  const props: Array<[string, unknown]> = []
  for (const [name, value] of Object.entries(event)) {
    if (name.startsWith("props.")) {
      if (value !== "") props.push([name.slice("props.".length), typedCell(value)])
    } else if (!name.startsWith("playerAlias.") || value !== gone) fields.push([name, value])
  }
  return Object.fromEntries([...fields, ["props", Object.fromEntries(props)]])
}

/** A player has an alias for each service that the player signs in by; what they share is the id of the player. */
const samePlayer = ({ "playerAlias.identifier": alias, "playerAlias.player.id": player }: ExportedEvent) => {
  const [from, to] = [idOf(alias), idOf(player)]
  return from === undefined || to === undefined ? undefined : { from, to, isForced: false }
}

export const talo: ExportDialect = {
  hasEvents: (file) => !otherFiles.test(file),
  csv: unquotedCsv,
  normalized,
  eventsIn: listed,
  samePlayer,
  mapping: {
    id: ["id"],
    timestamp: ["createdAt"],
    unitId: ["playerAlias.identifier"],
    sessionId: [],
    type: ["name"],
    types: {},
    arguments: { from: ["props"], keep: ["*"], drop: ["META_*"], names: {}, as: {} },
    properties: { platform: ["props.META_OS"], appVersion: ["props.META_GAME_VERSION"] }
  }
}
