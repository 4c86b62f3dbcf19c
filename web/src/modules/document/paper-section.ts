/* What a section of another record shows of its papers, and does with proofs of delivery. */
export { AcceptanceMark } from './acceptance-mark.tsx'
export { EInvoiceSheet } from './e-invoice-sheet.tsx'
export { ProofStopsModal } from './proof-stops-modal.tsx'
export { RefusePodModal } from './refuse-pod-modal.tsx'
export { usePodChecks } from './use-pod-checks.ts'
