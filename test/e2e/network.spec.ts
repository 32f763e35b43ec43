import { openCompanyNetwork } from '../kit/company-network.ts';
import { sendAndOpen } from '../kit/person.ts';
import { connectTo, expect, jobPane, test } from './fixtures.ts';

test('a job runs behind a company’s proxy and certificate authority, both detected from the system', async ({
  launch,
  startService,
}) => {
  const service = await startService();
  const company = await openCompanyNetwork(service.baseUrl);
  try {
    const { app, page } = await launch({
      env: { ELECTRON_STAND_IN_PROXY: `PROXY ${company.proxy}; DIRECT`, SSL_CERT_FILE: company.ca.caPath },
      // To Electron this is what the system is set to; authorities come from a file on Linux alone.
      args: [`--proxy-server=http://${company.proxy}`],
    });
    test.skip(app.kind === 'electron' && process.platform !== 'linux', 'an authority cannot be added for a test here');
    await connectTo(page, { baseUrl: company.serviceUrl, restUrl: company.serviceUrl, endpoints: service.endpoints });
    await sendAndOpen(page, { endpoint: 'echo', input: { title: 'through the proxy' } });
    await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 20_000 });
    expect(new Set(company.tunnels)).toEqual(new Set(['service.example:443']));

    await page.keyboard.press('ControlOrMeta+,');
    await page.getByRole('button', { name: 'Network' }).click();
    const checkButton = page.getByRole('button', { name: 'Check', exact: true });
    await checkButton.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText(/^Reached through http:\/\/127\.0\.0\.1:\d+ in .*certificate accepted/)).toBeVisible();
    // It was refused while it checked, and keeps the focus.
    await expect(checkButton).toBeFocused();

    // Without the proxy the host cannot be found; the check says what was tried.
    await page.getByRole('radio', { name: 'None' }).click();
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await expect(page.getByText(/^Could not reach service\.example: .* Jobdeck tried directly\.$/)).toBeVisible();

    await page.getByRole('radio', { name: 'Manual' }).click();
    await page.getByLabel('Proxy address').fill('http://name:password@127.0.0.1:1');
    await page.getByRole('button', { name: 'Use proxy' }).click();
    await expect(page.getByText(/without a name or a password in it/).first()).toBeVisible();
    await page.getByLabel('Proxy address').fill(`http://${company.proxy}`);
    await page.getByRole('button', { name: 'Use proxy' }).click();
    await expect(page.getByText('In use')).toBeVisible();

    // A proxy with a login: the check says what it needs, and the password is saved where keys are.
    const check = page.getByRole('button', { name: 'Check', exact: true });
    company.login = { way: 'NTLM' };
    await page.getByLabel('Address to check').fill('https://other.example');
    await check.click();
    await expect(page.getByText(/the proxy accepts only NTLM, and Jobdeck supports only Basic/)).toBeVisible();
    company.login = { way: 'Basic', user: 'clerk:pass word' };
    await check.click();
    await expect(page.getByText(/the proxy did not let you in \(407\)/)).toBeVisible();
    await page.getByLabel('Proxy user name').fill('clerk');
    await page.getByLabel('Proxy password').fill('pass word');
    await page.getByRole('button', { name: 'Use proxy' }).click();
    await expect(page.getByLabel('Proxy password')).toHaveValue('');
    await page.getByLabel('Address to check').fill(company.serviceUrl);
    await check.click();
    await expect(page.getByText(/^Reached through http:\/\/127\.0\.0\.1:\d+ in .*certificate accepted/)).toBeVisible();
    company.login = null;
    await page.getByLabel('Address to check').fill('https://elsewhere.example');
    // What was found of one address is not shown for another one.
    await expect(page.getByText(/^Reached through/)).toHaveCount(0);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await expect(page.getByText(/^Could not reach elsewhere\.example: the proxy did not let/)).toBeVisible();
  } finally {
    company.close();
  }
});
