/** How a company issues its invoices: KSeF is for companies in Poland, and for them always. */
export const KSEF_MODES = ['off', 'file', 'test', 'production'] as const
export type KsefMode = (typeof KSEF_MODES)[number]

/** The modes in which invoices are handed over by us, through the interface. */
export type KsefInterface = Extract<KsefMode, 'test' | 'production'>

/** Whether invoices are handed over by us; with a file somebody does that by hand. */
export const isHandedOver = (mode: KsefMode): mode is KsefInterface => mode === 'test' || mode === 'production'

/**
 * Of one invoice in KSeF. `awaited`: its XML waits for the number that somebody types; `without`: sent without one.
 * Through the interface: `queued` to be handed over, `submitted` to be judged, then `accepted` with a number, or
 * `rejected`.
 */
export const KSEF_STATES = ['awaited', 'without', 'queued', 'submitted', 'accepted', 'rejected'] as const
export type KsefState = (typeof KSEF_STATES)[number]

/** KSeF has not said yet whether the invoice is one: until then it has its number, and is not sent. */
export const isUndecided = (state: KsefState): boolean => state === 'queued' || state === 'submitted'

/** The PDF waits for it: it shows the number of KSeF. */
export const isAwaited = (state: KsefState): boolean => state === 'awaited'

/** Certificates of KSeF: of type 1 to sign in, of type 2 to sign invoices while KSeF is away. */
export const KSEF_CERTIFICATE_KINDS = ['authentication', 'offline'] as const
export type KsefCertificateKind = (typeof KSEF_CERTIFICATE_KINDS)[number]
