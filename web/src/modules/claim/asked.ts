import type { Claim, ClaimBooking } from '@waybill/contract/claim/claim'

/** What is about to be done with a claim. */
export type Asked = { what: 'pay' | 'waive'; claim: Claim } | { what: 'reverse'; claim: Claim; booking: ClaimBooking }
