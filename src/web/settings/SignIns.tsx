import { ListTable } from "../ui/ListTable.tsx"
import { Moment } from "../ui/Moment.tsx"
import { Failed, Skeleton } from "../ui/States.tsx"
import { useSignIns } from "./AccessQueries.ts"
import { Section } from "./Section.tsx"

const outcomes = {
  signedIn: "Signed in",
  passkey: "Signed in by passkey",
  singleSignOn: "Signed in through the provider",
  wrongPassword: "Wrong password",
  wrongCode: "Right password, wrong code",
  passwordReset: "New password by a link"
} as const

/** The last attempts to get into this person's account. */
export const SignIns = () => {
  const signIns = useSignIns()
  return (
    <Section title="Who tried to sign in as you">
      {signIns.data === undefined ? (
        signIns.error === null ? (
          <Skeleton height={96} />
        ) : (
          <Failed error={signIns.error} retry={() => void signIns.refetch()} />
        )
      ) : signIns.data.length === 0 ? (
        <p className="faint">Nobody since this is noted.</p>
      ) : (
        <ListTable
          label="Attempts to sign in"
          rows={signIns.data.map((each, index) => ({ ...each, index }))}
          keyOf={({ index }) => index}
          columns={[
            { name: "When", kind: "head", render: ({ at }) => <Moment at={at} of="person" /> },
            { name: "What", render: ({ outcome }) => outcomes[outcome] },
            { name: "Browser", render: ({ browser }) => browser ?? "unknown" },
            { name: "Address", render: ({ address }) => address ?? "unknown" }
          ]}
        />
      )}
    </Section>
  )
}
