import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { mostChallenges, transports } from "../../../domain/access/Passkey.ts"
import { PasskeyId, UserId } from "../../../domain/Ids.ts"
import { PasskeyRepo } from "../../../ports/access/PasskeyRepo.ts"
import { Instant, JsonText } from "../Rows.ts"

const NewRow = Schema.Struct({
  userId: UserId,
  credentialId: Schema.String,
  publicKey: Schema.Uint8ArrayFromSelf,
  counter: Schema.Number,
  transports: JsonText(Schema.Array(Schema.Literal(...transports))),
  name: Schema.String,
  createdAt: Instant,
  lastUsedAt: Schema.NullOr(Instant)
})
const Row = Schema.Struct({ id: PasskeyId, ...NewRow.fields })

const Challenge = Schema.Struct({ hash: Schema.String, userId: Schema.NullOr(UserId), expiresAt: Instant })
const Use = Schema.Struct({ id: PasskeyId, counter: Schema.Number, at: Instant })

const ofPasskeys = Effect.map(SqlClient.SqlClient, (sql) => {
  const insert = SqlSchema.findOne({
    Request: NewRow,
    Result: Row,
    execute: (row) => sql`insert into passkeys ${sql.insert(row)} on conflict (credential_id) do nothing returning *`
  })
  const listOfUser = SqlSchema.findAll({
    Request: UserId,
    Result: Row,
    execute: (userId) => sql`select * from passkeys where user_id = ${userId} order by id`
  })
  const findByCredential = SqlSchema.findOne({
    Request: Schema.String,
    Result: Row,
    execute: (credentialId) => sql`select * from passkeys where credential_id = ${credentialId}`
  })
  const noteUse = SqlSchema.void({
    Request: Use,
    execute: ({ id, counter, at }) =>
      sql`update passkeys set counter = ${counter}, last_used_at = ${at} where id = ${id}`
  })
  const remove = (userId: UserId, id: PasskeyId) =>
    Effect.map(
      sql`delete from passkeys where id = ${id} and user_id = ${userId} returning id`,
      (rows) => rows.length > 0
    )
  const removeOfUser = (userId: UserId) => Effect.asVoid(sql`delete from passkeys where user_id = ${userId}`)
  return { insert, listOfUser, findByCredential, noteUse, remove, removeOfUser }
})

const ofChallenges = Effect.map(SqlClient.SqlClient, (sql) => {
  const insert = SqlSchema.void({
    Request: Challenge,
    execute: (row) => sql`insert into passkey_challenges ${sql.insert(row)}`
  })
  const forgetEnded = SqlSchema.void({
    Request: Instant,
    execute: (now) => sql`delete from passkey_challenges where expires_at < ${now}`
  })
  const counted = SqlSchema.single({
    Request: Schema.Void,
    Result: Schema.Struct({ count: Schema.Number }),
    execute: () => sql`select count(*) as count from passkey_challenges`
  })
  const forgetOldest = SqlSchema.void({
    Request: Schema.Number,
    execute: (many) => sql`
      delete from passkey_challenges where hash in (
        select hash from passkey_challenges order by expires_at limit ${many}
      )`
  })
  const take = SqlSchema.findOne({
    Request: Schema.String,
    Result: Challenge,
    execute: (hash) => sql`delete from passkey_challenges where hash = ${hash} returning *`
  })
  const put = (challenge: typeof Challenge.Type, now: typeof Instant.Type) =>
    Effect.gen(function* () {
      yield* forgetEnded(now)
      const { count } = yield* counted()
      if (count >= mostChallenges) yield* forgetOldest(count + 1 - mostChallenges)
      yield* insert(challenge)
    }).pipe(sql.withTransaction)
  return { put, take }
})

export const PasskeyRepoSql = Layer.effect(
  PasskeyRepo,
  Effect.map(Effect.all([ofPasskeys, ofChallenges]), ([passkeys, challenges]) =>
    PasskeyRepo.of({
      insert: (passkey) => Effect.orDie(passkeys.insert(passkey)),
      listOfUser: (userId) => Effect.orDie(passkeys.listOfUser(userId)),
      findByCredential: (credentialId) => Effect.orDie(passkeys.findByCredential(credentialId)),
      noteUse: (id, counter, at) => Effect.orDie(passkeys.noteUse({ id, counter, at })),
      remove: (userId, id) => Effect.orDie(passkeys.remove(userId, id)),
      removeOfUser: (userId) => Effect.orDie(passkeys.removeOfUser(userId)),
      putChallenge: (challenge, now) => Effect.orDie(challenges.put(challenge, now)),
      takeChallenge: (hash) => Effect.orDie(challenges.take(hash))
    })
  )
)
