import { Effect, Option } from "effect"
import { IconNotFound, ImageInvalid, PayloadTooLarge } from "../../schema/Errors.ts"
import type { IconResult } from "../../schema/Icons.ts"
import type { Organization } from "../domain/access/Organization.ts"
import type { OrganizationId } from "../domain/Ids.ts"
import { Images } from "../ports/Images.ts"
import type { Icon } from "../ports/OrganizationRepo.ts"
import { OrganizationRepo } from "../ports/OrganizationRepo.ts"
import { Secrets } from "../ports/Secrets.ts"
import { Transaction } from "../ports/Transaction.ts"
import { OrganizationView } from "./OrganizationView.ts"
import { Policy } from "./Policy.ts"

/** Largest icon in bytes. */
export const maxBytes = 1024 * 1024
/** Largest width and height in pixels. */
export const maxSide = 4096

/** The image an organization is shown with. */
export class Icons extends Effect.Service<Icons>()("services/Icons", {
  effect: Effect.gen(function* () {
    const organizations = yield* OrganizationRepo
    const images = yield* Images
    const secrets = yield* Secrets
    const transaction = yield* Transaction
    const policy = yield* Policy
    const view = yield* OrganizationView

    const inspect = Effect.fnUntraced(function* (bytes: Uint8Array) {
      if (bytes.length > maxBytes) {
        return yield* Effect.fail(new PayloadTooLarge({ message: `An icon may have at most ${maxBytes} bytes` }))
      }
      const image = yield* images.inspect(bytes)
      if (Option.isNone(image)) {
        return yield* Effect.fail(new ImageInvalid({ message: "Send a PNG, JPEG, WebP or GIF image" }))
      }
      const { type, width, height } = image.value
      if (width > maxSide || height > maxSide) {
        const message = `An icon may have at most ${maxSide} pixels a side; this one has ${width} x ${height}`
        return yield* Effect.fail(new ImageInvalid({ message }))
      }
      return { contentType: type, bytes }
    })

    const store = Effect.fnUntraced(function* (organization: Organization, icon: Icon | null) {
      const iconTag = icon === null ? null : secrets.digest(icon.bytes)
      const write = organizations.putIcon(organization.id, icon).pipe(
        Effect.zipRight(Effect.flatMap(organizations.find(organization.id), Effect.orDie)),
        Effect.flatMap((present) => organizations.update({ ...present, iconTag }))
      )
      const updated = yield* transaction.run(write)
      return { id: updated.id, iconUrl: view.iconUrl(updated) } satisfies IconResult
    })

    /** Reads the upload once it is known that the caller may set the icon. */
    const put = Effect.fn("Icons.put")(function* <E, R>(id: OrganizationId, upload: Effect.Effect<Uint8Array, E, R>) {
      const { organization } = yield* policy.organization("organization:write", id)
      return yield* store(organization, yield* inspect(yield* upload))
    })

    const get = Effect.fn("Icons.get")(function* (id: OrganizationId) {
      const { organization } = yield* policy.organization("organization:read", id)
      const icon = yield* organizations.icon(id)
      if (Option.isNone(icon) || organization.iconTag === null) {
        return yield* Effect.fail(new IconNotFound({ message: `Organization ${id} has no icon` }))
      }
      return { ...icon.value, tag: organization.iconTag }
    })

    const remove = Effect.fn("Icons.remove")(function* (id: OrganizationId) {
      const { organization } = yield* policy.organization("organization:write", id)
      return yield* store(organization, null)
    })

    return { put, get, remove } as const
  })
}) {}
