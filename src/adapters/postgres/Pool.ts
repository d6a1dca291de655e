import { Effect, Redacted } from "effect"
import { Socket } from "node:net"
import { Pool, types } from "pg"

/** Where the database is, and how many connections this process opens to it for statements; others are opened beside them. */
export interface PostgresOptions {
  /** postgres://user:password@host:port/database?sslmode=… */
  readonly url: Redacted.Redacted
  readonly connections: number
  /** Milliseconds after which a statement has failed; 0: never. */
  readonly longestStatement?: number
}

/** Bytes from their hexadecimal digits, in memory of their own. */
const bytesOf = (text: string): Uint8Array => {
  const bytes = Buffer.alloc((text.length - 2) / 2)
  bytes.write(text.slice("\\x".length), "hex")
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

// Integers arrive as numbers and bytes as `Uint8Array`, as they do from SQLite. Every integer, and every sum of them, is below 2^53.
types.setTypeParser(types.builtins.INT8, Number)
types.setTypeParser(types.builtins.NUMERIC, Number)
types.setTypeParser(types.builtins.BYTEA, bytesOf)

/** Milliseconds that PostgreSQL gets to say that a statement has taken too long. */
const graceMillis = 5000

/**
 * The socket of a connection, which is given up where nothing comes for longer than any statement may take. A machine that is cut off closes
 * no connection: without this, whoever waits for it would wait for as long as the operating system tries, which is a quarter of an hour.
 */
const socketFor = (longestStatement: number) => (): Socket => {
  const socket = new Socket()
  const silent = new Error(`PostgreSQL gave no answer for ${(longestStatement + graceMillis) / 1000} s`)
  return longestStatement === 0
    ? socket
    : socket.setTimeout(longestStatement + graceMillis, () => socket.destroy(silent))
}

/** What all connections have in common. */
export const connectionOf = ({ url, longestStatement = 60_000 }: PostgresOptions) => ({
  connectionString: Redacted.value(url),
  application_name: "gamekeeper",
  connectionTimeoutMillis: 5000,
  statement_timeout: longestStatement,
  stream: socketFor(longestStatement),
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000
})

/** Connections that are opened when they are needed and closed with the scope. */
export const poolOf = (options: PostgresOptions) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const pool = new Pool({ ...connectionOf(options), max: options.connections })
      // Ignore errors of idle connections: a statement on a broken connection fails by itself, and otherwise the pool opens the next one.
      pool.on("error", () => undefined)
      pool.on("connect", (client) => client.on("error", () => undefined))
      return pool
    }),
    (pool) => Effect.ignore(Effect.tryPromise(() => pool.end()))
  )
