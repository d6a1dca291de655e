import { dirname, join } from "node:path"
import { identityOf } from "./FileIdentity.ts"

/**
 * Notices that the path of a database, of its log or of the folder's lock no longer leads to what this process has open: somebody deleted
 * or moved the folder, or put other files in its place. Then what is written is in no file that anybody finds. Looking costs microseconds.
 */
export class FilePlace {
  private readonly known = new Map<string, string>()
  private readonly paths: ReadonlyArray<string>

  /** To be made while the database is open. One in memory is never lost. */
  constructor(file: string) {
    this.paths = file === "" || file === ":memory:" ? [] : [file, `${file}-wal`, join(dirname(file), "lock")]
    this.isLost()
  }

  isLost(): boolean {
    for (const path of this.paths) {
      const identity = identityOf(path)
      const known = this.known.get(path)
      // The log is made by the first write.
      if (known === undefined && identity !== null) this.known.set(path, identity)
      if (known !== undefined && known !== identity) return true
    }
    return false
  }
}
