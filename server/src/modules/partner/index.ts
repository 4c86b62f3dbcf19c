export { newBankAccounts, saveBankAccounts } from './bank-accounts.ts'
export { findLookalikes } from './lookalikes.ts'
export { recordARow } from './import-partners.ts'
export { checkVatNumber, countryCodeOf, vatNumberShape, viesNumber, withNormalVatNumber } from './vat-number.ts'
