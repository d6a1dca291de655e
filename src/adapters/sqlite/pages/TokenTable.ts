import type Database from "better-sqlite3"
import { decodeToken, encodeToken, type Token } from "./Token.ts"

/** The row by which a database says which state of it a file holds. */
export class TokenTable {
  private readonly find
  private readonly put

  private constructor(db: Database.Database) {
    this.find = db.prepare<[], { token: unknown }>("select token from page_token")
    this.put = db.prepare<[Uint8Array]>("insert or replace into page_token (id, token) values (1, ?)")
  }

  /** Null when the database has no such table: it was written before there was one. */
  static of(db: Database.Database): TokenTable | null {
    const table = db.prepare("select 1 from sqlite_schema where type = 'table' and name = 'page_token'").get()
    return table === undefined ? null : new TokenTable(db)
  }

  /** Null before the first one, and when it is damaged. */
  read(): Token | null {
    const token = this.find.get()?.token
    return token instanceof Uint8Array ? decodeToken(token) : null
  }

  write(token: Token): void {
    this.put.run(encodeToken(token))
  }
}
