import { Effect, Layer } from "effect"
import { keptSignIns } from "../../../domain/access/SignInEvent.ts"
import { SignInLog } from "../../../ports/access/SignInLog.ts"
import { MemoryDb } from "../MemoryDb.ts"

export const SignInLogMemory = Layer.effect(
  SignInLog,
  Effect.map(MemoryDb, ({ access, signIns }) =>
    SignInLog.of({
      append: (event) =>
        access(() => {
          signIns.insert(event)
          const old = new Set(signIns.rows.filter(({ userId }) => userId === event.userId).slice(0, -keptSignIns))
          signIns.remove((each) => old.has(each))
        }),
      listOfUser: (id) => access(() => signIns.rows.filter(({ userId }) => userId === id).toReversed())
    })
  )
)
