import { isAddressScheme } from '@waybill/contract/e-invoice/address-schemes'
import { fieldError } from '../../kit/context/errors.ts'

/** Refuses a kind of electronic address that there is not. Error: `invalid_value` at `eInvoiceScheme`. */
export function checkAddressScheme({ eInvoiceScheme }: { eInvoiceScheme: string | null }): void {
  if (eInvoiceScheme !== null && !isAddressScheme(eInvoiceScheme)) throw fieldError('eInvoiceScheme', 'invalid_value')
}
