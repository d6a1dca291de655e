import { writeFileSync } from "node:fs"
import { asked, definedAnswer } from "./Answers.ts"
import { answersPath } from "./GoldenWorld.ts"

/**
 * Writes the answers that the golden files must give, as the pure functions define them: `npx tsx` with this file.
 * Only a question that is new, or whose meaning was changed on purpose, may change a line.
 */
const lines = asked.map((one) => `${JSON.stringify(one.name)}: ${JSON.stringify(definedAnswer(one))}`)
writeFileSync(answersPath, `{\n${lines.join(",\n")}\n}\n`)
