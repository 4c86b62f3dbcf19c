import { addDays, easterSunday, weekdayOf } from '../kit/local-time.ts'

/** Of the European Economic Area: no BIC and no address are needed for a payment there. */
const EEA = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' ')

/**
 * Countries outside the EEA whose banks take part in the SEPA credit transfer, with the day from which they can be
 * paid. Source: European Payments Council, EPC409-09, as of 2026; of Serbia only the month (May 2026) was announced.
 */
const OTHERS: Readonly<Record<string, string>> = {
  AD: '2019-03-01',
  AL: '2025-10-07',
  CH: '2008-01-28',
  GB: '2008-01-28',
  GI: '2008-01-28',
  MC: '2009-11-01',
  MD: '2025-10-07',
  ME: '2025-10-07',
  MK: '2025-10-07',
  RS: '2026-06-01',
  SM: '2014-02-01',
  VA: '2019-03-01',
}

/** True where a bank of this country (the first two letters of an IBAN) can be paid by SEPA on a day `YYYY-MM-DD`. */
export const isSepaCountry = (countryCode: string, date: string): boolean =>
  EEA.includes(countryCode) || (OTHERS[countryCode] ?? '9999') <= date

/** True of a country for whose accounts a payment needs the BIC and the full address of the creditor. */
export const needsBic = (countryCode: string): boolean => !EEA.includes(countryCode)

// Source: European Central Bank, the long-term calendar of TARGET.
const TARGET_DAYS = ['01-01', '05-01', '12-25', '12-26']
const TARGET_AFTER_EASTER = [-2, 1]

/** Whether TARGET settles no payments on a day `YYYY-MM-DD`: weekends and its six holidays. */
export function isTargetClosed(date: string): boolean {
  if (weekdayOf(date) > 5 || TARGET_DAYS.includes(date.slice(5))) return true
  const easter = easterSunday(Number(date.slice(0, 4)))
  return TARGET_AFTER_EASTER.some((days) => addDays(easter, days) === date)
}

/** The first day from this one on, itself included, on which TARGET settles payments. */
export function targetDayFrom(date: string): string {
  let day = date
  while (isTargetClosed(day)) day = addDays(day, 1)
  return day
}
