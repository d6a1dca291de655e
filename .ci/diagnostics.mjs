// The diagnostics of @effect/language-service over the product's sources, with one program and one type checker for all files. The
// package's own command line makes both anew again and again, which takes several times as long.
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"

const { default: transform } = createRequire(import.meta.url)("@effect/language-service/transform.js")

const folder = dirname(fileURLToPath(import.meta.url))
const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (problem) => report([problem]) }
const project = ts.getParsedCommandLineOfConfigFile(join(folder, "tsconfig.json"), { incremental: false }, host)
const program = ts.createProgram({ rootNames: project.fileNames, options: project.options })
const plugin = project.options.plugins.find(({ name }) => name === "@effect/language-service")

const problems = []
const inspect = transform(program, plugin, { addDiagnostic: (problem) => problems.push(problem), ts })()
for (const file of project.fileNames) inspect(program.getSourceFile(file))

function report(found) {
  const format = {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: ts.sys.getCurrentDirectory,
    getNewLine: () => "\n"
  }
  console.error(ts.formatDiagnosticsWithColorAndContext(found, format))
  process.exitCode = 1
}

if (problems.length > 0) report(problems)
console.log(`${project.fileNames.length} files, ${problems.length} diagnostics of Effect`)
