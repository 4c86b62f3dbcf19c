import { ERRORS } from '@waybill/contract/errors'
import { FIELD_ERRORS } from '@waybill/contract/errors/all'
import { describe, expect, test } from 'vitest'
import documents from '../../locales/en/document.json'
import mails from '../../locales/en/email-write.json'
import errors from '../../locales/en/errors.json'
import forms from '../../locales/en/form.json'
import history from '../../locales/en/history.json'
import invoices from '../../locales/en/invoice.json'
import lists from '../../locales/en/list.json'
import merges from '../../locales/en/merge.json'
import columns from '../../locales/en/order-list.json'
import places from '../../locales/en/place.json'
import saved from '../../locales/en/saved.json'

/*
 * Sentences that the specification prescribes, word for word. Where each is shown is tested with its screen; here it
 * is held that nobody words one of them anew.
 */

describe('the sentences of spec §5 and spec §8', () => {
  test.each([
    [FIELD_ERRORS.required.en, 'The field is required'],
    [FIELD_ERRORS.too_long.en, 'The maximum length allowed is {max}'],
    [FIELD_ERRORS.passwords_differ.en, 'Passwords do not match'],
    [FIELD_ERRORS.invalid_email.en, 'Invalid email format'],
    [FIELD_ERRORS.number_taken.en, 'Number has to be unique'],
    [FIELD_ERRORS.customer_vat_number_taken.en, 'This VAT is used by another customer'],
    [FIELD_ERRORS.carrier_vat_number_taken.en, 'This VAT is used by another carrier'],
    [ERRORS.invalid_code.text.en, 'Invalid code entered'],
    [ERRORS.file_too_large.text.en, 'The file exceeds the maximum allowed size of 25 MB'],
    [documents.tooLarge, 'The file exceeds the maximum allowed size of 25 MB'],
    [documents.saveFirst, 'Save the changes first to enable file upload'],
    [invoices.saveFirst, 'Please save the invoice before generating the document'],
    [forms.errors.here, 'Validation Error'],
    [forms.errors.onServer, 'Validation Error on the Server'],
    [lists.countryNotFound, 'Country Not Found'],
    [places.countryNotFound, 'Country Not Found'],
    [errors.forbidden.title, 'Access denied'],
    [errors.forbidden.text, 'The page does not exist or you do not have access'],
    [errors.missing.title, "Something's missing"],
    [errors.missing.text, 'The page you requested does not exist. It might be outdated or deleted'],
    [saved.profile, 'Data updated successfully'],
    [mails.sent, 'Your email sent successfully'],
    [invoices.mail.emailSent, 'Your email sent successfully'],
    [merges.done, 'Orders are successfully merged'],
    [lists.nothingFound, 'Nothing found'],
    [lists.listIsEmpty, 'List is empty'],
    [lists.entireList, 'The entire list is loaded'],
    [history.entire, 'The entire list is loaded'],
  ])('%s', (text, wanted) => {
    expect(text.replace(/\.$/, '')).toBe(wanted)
  })

  test('name each record that was saved', () => {
    const { profile: _own, ...records } = saved
    const others = Object.values(records).filter((text) => !/^The [a-z ]+ was saved successfully$/.test(text))
    expect(others).toEqual([])
  })

  test('say of a delay since when, and in days or hours', () => {
    expect(columns.delay.sending).toMatch(/{{late}}.*{{at}}/)
    expect(columns.delay.delivery).toMatch(/{{late}}.*{{at}}/)
    expect([columns.delay.lateDays, columns.delay.lateHours]).toEqual(['{{number}} d late', '{{number}} h late'])
  })
})
