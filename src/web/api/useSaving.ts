import { useMutation } from "@tanstack/react-query"

interface Writes<Body, Saved> {
  readonly create: (body: Body) => Promise<Saved>
  readonly update: (id: string, body: Body) => Promise<Saved>
  readonly onSaved: (saved: Saved) => unknown
}

/** Saves a body as something new where its id is null, and else as the thing of that id. */
export const useSaving = <Body, Saved>({ create, update, onSaved }: Writes<Body, Saved>) =>
  useMutation({
    mutationFn: ({ id, body }: { readonly id: string | null; readonly body: Body }) =>
      id === null ? create(body) : update(id, body),
    onSuccess: onSaved
  })
