/*
 * The floor under every node that posts rows: n8n's own request helper, called once a row, so many at a
 * time as this package sends at most, and nothing else. Its credential is n8n's Header Auth.
 */
const AT_ONCE = 96;

exports.Floor = class Floor {
	description = {
		displayName: 'Floor',
		name: 'floor',
		group: ['transform'],
		version: 1,
		description: 'Sends each item as it is',
		defaults: { name: 'Floor' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'httpHeaderAuth', required: true }],
		properties: [{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: '' }],
	};

	async execute() {
		const items = this.getInputData();
		const baseUrl = this.getNodeParameter('baseUrl', 0);
		const responses = [];
		let next = 0;
		const work = async () => {
			while (next < items.length) {
				const index = next++;
				const { location_id, ...body } = items[index].json;
				const { data } = await this.helpers.httpRequestWithAuthentication.call(
					this,
					'httpHeaderAuth',
					{ method: 'POST', url: `${baseUrl}/locations/${location_id}/posts`, body },
				);
				responses[index] = { json: data, pairedItem: index };
			}
		};
		await Promise.all(Array.from({ length: AT_ONCE }, work));
		return [responses];
	}
};
