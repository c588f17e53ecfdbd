import { LocalSeoTrigger } from '../../nodes/LocalSeo/LocalSeoTrigger.node';
import { editorOf } from '../support/engine';
import { useSandbox } from '../support/fixture';

const { getLocations } = new LocalSeoTrigger().methods.loadOptions;
const service = useSandbox({ locations: 20 });

test('the trigger offers all locations, of every page, in the order of their names', async () => {
	const { locations } = service.sandbox.account;
	Object.assign(locations[17], {
		name: 'Äpfel & Co',
		city: 'York',
		country: 'GB',
		status: 'paused',
	});
	Object.assign(locations[0], { name: 'Zoo' });
	const options = await getLocations.call(service.editor({}));
	expect(options.map(({ value }) => value).sort()).toEqual(locations.map(({ id }) => id).sort());
	const [first] = options;
	expect(first.value).toBe(locations[17].id);
	expect(first.name).toBe(`Äpfel & Co, York, GB · ${locations[17].address} (paused)`);
	expect(options[19].name).toMatch(/^Zoo/);
});

test('a key that is rejected is reported as such', async () => {
	const credential = { baseUrl: service.sandbox.baseUrl, apiKey: 'sk_revoked' };
	const editor = editorOf({ credential, parameters: {} });
	await expect(getLocations.call(editor)).rejects.toThrow(/does not accept this API key/);
});

test('an account without locations has no sample to show, and says so', async () => {
	const { account } = service.sandbox;
	for (const { id } of [...account.locations]) account.removeLocation(id);
	const poller = service.poller({ events: ['rankScanCompleted'] });
	await expect(poller.sample()).rejects.toMatchObject({
		message: 'No rank scans were found',
		description: expect.stringMatching(
			/^The account has no locations\. Check .*Fetch Test Event shows /,
		),
	});
});
