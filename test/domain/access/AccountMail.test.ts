import { assert, describe, it } from "@effect/vitest"
import { invitationMail, resetMail } from "../../../src/domain/access/AccountMail.ts"

describe("mails about accounts", () => {
  it("say where they come from and what their link does", () => {
    const { subject, text } = resetMail("https://live.studio.example", "https://live.studio.example/reset-password#abc")
    assert.strictEqual(subject, "Choose another password for live.studio.example")
    assert.include(text, "\nhttps://live.studio.example/reset-password#abc\n")
  })

  it("keep names of organizations and people in one line", () => {
    const invited = { acceptUrl: "https://live.studio.example/invite/abc", until: "2026-11-30" }
    const strange = invitationMail("https://live.studio.example", {
      ...invited,
      organization: "Ember\r\nBcc: eve@studio.example",
      by: "Ada\u2028Eve"
    })
    assert.strictEqual(strange.subject, "Invitation to Ember Bcc: eve@studio.example on live.studio.example")
    assert.include(strange.text, "Ada Eve invites you to Ember Bcc: eve@studio.example")
    assert.include(
      invitationMail("https://a.example", { ...invited, organization: "O", by: null }).text,
      "You are invited"
    )
  })
})
