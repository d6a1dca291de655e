import { chmodSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"

const program = `#!${process.execPath}
const { connect } = require("node:net")
const [host, port] = process.argv.slice(2)
const socket = connect(Number(port), host)
process.stdin.pipe(socket, { end: false })
socket.pipe(process.stdout)
`

/** An environment in which shells find a netcat, which not every machine has. */
export const withNetcat = (): NodeJS.ProcessEnv => {
  const folder = mkdtempSync(join(tmpdir(), "gamekeeper-"))
  const file = join(folder, "nc")
  writeFileSync(file, program)
  chmodSync(file, 0o755)
  return { ...process.env, PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}` }
}
