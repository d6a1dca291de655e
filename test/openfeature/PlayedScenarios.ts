import { existsSync } from "node:fs"
import { join } from "node:path"
import { scenariosOf } from "./Gherkin.ts"

/**
 * Answers out of what was asked before have the reason of the value, not CACHED. How contexts of several levels are merged is the SDKs' own
 * affair, and no provider hears of it.
 */
const left = (tags: ReadonlyArray<string>, feature: string) =>
  tags.includes("@reason-codes-cached") || feature === "contextMerging.feature"

/** Our scenarios, and those of a folder of OpenFeature's specification where one is named. */
const folders = [join(import.meta.dirname, "features"), process.env["GAMEKEEPER_OPENFEATURE_FEATURES"] ?? ""]

export const scenarios = folders
  .filter((folder) => folder !== "" && existsSync(folder))
  .flatMap(scenariosOf)
  .filter(({ tags, feature }) => !left(tags, feature))
