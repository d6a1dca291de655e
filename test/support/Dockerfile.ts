import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./Server.ts"

const dockerfile = readFileSync(join(root, "deploy", "Dockerfile"), "utf8").replaceAll("\\\n", " ")

/** What follows an instruction of the image, for each time that it is there. */
export const instructions = (name: string): ReadonlyArray<string> =>
  [...dockerfile.matchAll(/^(\w+) (.*)$/gm)].filter(([, found]) => found === name).map(([, , text = ""]) => text)

/** The variables that the image sets. */
export const [imageVariables = ""] = instructions("ENV")
