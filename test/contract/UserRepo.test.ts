import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { UserRepo } from "../../src/ports/UserRepo.ts"
import { contract } from "../support/MetadataStores.ts"
import { addUser, at, dies, newUser, same, userId } from "../support/Rows.ts"

contract("UserRepo", (holds) => {
  holds("keeps every field to the letter and the millisecond", () =>
    Effect.gen(function* () {
      const users = yield* UserRepo
      const user = newUser(1, {
        email: "Zoë.Ünal@Stüdio.test",
        name: "Zoë 'O\"Brien' 🎮 \u0000 名前",
        motive: "",
        deletedAt: at(1)
      })
      same(yield* users.insert(user), Option.some(user))
      same(yield* users.find(user.id), Option.some(user))
      const present = newUser(2)
      yield* users.insert(present)
      same(yield* users.find(present.id), Option.some(present))
    })
  )

  holds("takes an address once, in whatever case, and a refusal changes nothing", () =>
    Effect.gen(function* () {
      const users = yield* UserRepo
      const first = yield* users.insert(newUser(1, { email: "Élise@Studio.test" }))
      assert.isTrue(Option.isNone(yield* users.insert(newUser(2, { email: " éLISE@studio.TEST " }))))
      assert.isTrue(Option.isNone(yield* users.find(userId(2))))
      same(yield* users.find(userId(1)), first)
    })
  )

  holds("keeps the address of who is deleted", () =>
    Effect.gen(function* () {
      const users = yield* UserRepo
      yield* users.insert(newUser(1, { deletedAt: at() }))
      assert.isTrue(Option.isNone(yield* users.insert(newUser(2, { email: "user1@studio.test" }))))
    })
  )

  holds("finds by address in any case, and nobody by another one", () =>
    Effect.gen(function* () {
      const users = yield* UserRepo
      const user = yield* users.insert(newUser(1))
      yield* addUser(2)
      same(yield* users.findByEmail(" USER1@Studio.Test"), user)
      same(yield* users.findByEmail("user3@studio.test"), Option.none())
      same(yield* users.findByEmail("user_@studio.test"), Option.none())
      same(yield* users.find(userId(3)), Option.none())
    })
  )

  holds("updates one user, also the address it is found by", () =>
    Effect.gen(function* () {
      const users = yield* UserRepo
      yield* addUser(1)
      const other = yield* addUser(2)
      const changed = newUser(1, {
        email: "New@studio.test",
        name: "New",
        passwordHash: "new hash",
        deletedAt: at(5)
      })
      same(yield* users.update(changed), changed)
      same(yield* users.findByEmail("new@studio.test"), Option.some(changed))
      same(yield* users.findByEmail("user1@studio.test"), Option.none())
      same(yield* users.find(other.id), Option.some(other))
      const recased = { ...changed, email: "NEW@studio.test" }
      same(yield* users.update(recased), recased)
    })
  )

  holds("an update of nobody, or to another one's address, is a defect and changes nothing", () =>
    Effect.gen(function* () {
      const users = yield* UserRepo
      const first = yield* addUser(1)
      const second = yield* addUser(2)
      yield* dies(users.update(newUser(3)))
      yield* dies(users.update({ ...first, email: "USER2@studio.test" }))
      same(yield* users.find(userId(3)), Option.none())
      same(yield* users.find(first.id), Option.some(first))
      same(yield* users.findByEmail(second.email), Option.some(second))
    })
  )
})
