import { lazy, Suspense } from 'react'

// Not before the form stands.
const RefusedAddresses = lazy(() =>
  import('../../email/refused-address-section.tsx').then((file) => ({ default: file.RefusedAddresses })),
)

/** Says of an address in the order's form that a mail server refused it. */
export function RefusedAddress({ email }: { email: string | null | undefined }) {
  return email ? (
    <Suspense>
      <RefusedAddresses addresses={[email]} />
    </Suspense>
  ) : null
}
