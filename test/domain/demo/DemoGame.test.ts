import { assert, describe, it } from "@effect/vitest"
import type { PlannedSession } from "../../../src/domain/demo/DemoGame.ts"
import { DemoGame } from "../../../src/domain/demo/DemoGame.ts"
import { demoGroups } from "../../../src/domain/demo/DemoGroups.ts"
import { demoEvents } from "../../../src/domain/demo/DemoSession.ts"
import { dayMillis, hourMillis } from "../../../src/domain/Durations.ts"

const firstDay = Math.floor(Date.parse("2026-05-12T00:00:00Z") / dayMillis)
const days = 35

const play = () => {
  const game = new DemoGame(firstDay)
  return Array.from({ length: days }, () => game.next())
}

const nobody = new Set<string>()

describe("demo game", () => {
  const played = play()
  const sessions = played.flatMap((day) => day.sessions)
  const events = sessions.flatMap((session) => demoEvents(session, nobody))
  const units = (type: string) => new Set(events.filter((event) => event.type === type).map(({ unitId }) => unitId))

  it("is the same every time, also when it is played on from a later day", () => {
    assert.deepStrictEqual(play(), played)
    const game = new DemoGame(firstDay)
    for (let day = 0; day < 20; day++) game.next()
    assert.strictEqual(game.nextDay, firstDay + 20)
    assert.deepStrictEqual(game.next(), played[20])
  })

  it("has players who install once, under distinct marker ids, each session in order of time", () => {
    assert.strictEqual(new Set(events.map(({ markerId }) => markerId)).size, events.length)
    const installs = events.filter(({ type }) => type === "Install")
    assert.strictEqual(installs.length, units("Install").size)
    assert.isTrue(events.every(({ timestamp }) => timestamp >= firstDay * dayMillis))
    for (const session of sessions.slice(0, 500)) {
      const times = demoEvents(session, nobody).map(({ timestamp }) => timestamp)
      assert.deepStrictEqual(
        [...times].sort((a, b) => a - b),
        times
      )
    }
    assert.match(events[0]!.markerId, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it("has evenings busier than nights, and weekends busier than the days before", () => {
    const inHours = (from: number, to: number) =>
      sessions.filter(({ startsAt }) => {
        const hour = (startsAt % dayMillis) / hourMillis
        return hour >= from && hour < to
      }).length
    assert.isAbove(inHours(16, 22), 2 * inHours(4, 10))
    for (let hour = 0; hour < 24; hour++) assert.isAbove(inHours(hour, hour + 1), days, `hour ${hour}`)
    const on = (weekdays: ReadonlyArray<number>) =>
      sessions.filter(({ startsAt }) => weekdays.includes(new Date(startsAt).getUTCDay())).length / weekdays.length
    assert.isAbove(on([6, 0]), 1.2 * on([1, 2, 3]))
  })

  it("loses players from step to step and from day to day, and sells to a few", () => {
    assert.isAbove(units("Install").size, units("TutorialCompleted").size)
    assert.isAbove(units("Install").size, units("LevelCompleted").size)
    assert.isAbove(units("LevelCompleted").size, units("ShopOpened").size)
    assert.isAbove(units("ShopOpened").size, 2 * units("Purchase").size)
    assert.isAbove(units("Purchase").size, 50)
    const back = (day: number) => {
      const cohort = played.slice(0, days - day).flatMap((each) => each.sessions.filter(({ isFirst }) => isFirst))
      const came = new Set(
        sessions.map(({ player, startsAt }) => `${player.unitId} ${Math.floor(startsAt / dayMillis)}`)
      )
      const returned = cohort.filter(({ player }) => came.has(`${player.unitId} ${player.installDay + day}`))
      return returned.length / cohort.length
    }
    const rates = [1, 3, 7, 14, 28].map(back)
    assert.deepStrictEqual(
      [...rates].sort((a, b) => b - a),
      rates
    )
    assert.isTrue(rates[0]! > 0.3 && rates[0]! < 0.5, `day 1: ${rates[0]}`)
    assert.isTrue(rates[4]! > 0.05 && rates[4]! < 0.15, `day 28: ${rates[4]}`)
  })

  it("has several versions, platforms and countries, and deaths with places", () => {
    const values = (name: string) => new Set(events.map(({ properties }) => properties[name]))
    assert.includeMembers([...values("appVersion")], ["1.3.0", "1.4.0", "1.5.0"])
    assert.strictEqual(values("platform").size, 3)
    assert.isAbove(values("country").size, 5)
    const deaths = events.filter(({ type }) => type === "PlayerDied")
    assert.isTrue(deaths.every(({ position }) => position !== null))
    assert.strictEqual(new Set(deaths.map(({ arguments: { cause } }) => cause)).size, 5)
  })

  it("has clicks before the installs that they lead to, and more that lead to none", () => {
    const clicks = played.flatMap((day) => day.clicks)
    const led = events.flatMap(({ type, arguments: { gk_click: id }, timestamp }) =>
      type === "Install" && typeof id === "string" ? [{ id, timestamp }] : []
    )
    const byId = new Map(clicks.map((click) => [click.interactionId, click]))
    assert.isAbove(led.length, 100)
    assert.isTrue(led.every(({ id, timestamp }) => (byId.get(id)?.at ?? Infinity) < timestamp))
    assert.isAbove(clicks.length, 2 * led.length)
  })

  it("a group changes what it is about, and nothing else", () => {
    const bought = (session: PlannedSession, groups: ReadonlySet<string>) =>
      demoEvents(session, groups).some(({ type }) => type === "Purchase")
    const cheap = new Set([demoGroups.cheaperPack])
    const some = sessions.slice(0, 4000)
    const [dear, low] = [nobody, cheap].map((groups) => some.filter((one) => bought(one, groups)))
    assert.isAbove(low!.length, 1.4 * dear!.length)
    assert.includeMembers(low!, dear!)
  })
})
