/** Whom a carrier is written to, as its record says. */
export interface DispatchContact {
  readonly fullName: string
  readonly phone: string | null
  readonly email: string | null
}

/** The fields of an assignment that name its disponent; all are empty where the record names nobody. */
export const disponentOf = (contact: DispatchContact | null | undefined) => ({
  disponentName: contact?.fullName ?? null,
  disponentPhone: contact?.phone ?? null,
  disponentEmail: contact?.email ?? null,
})
