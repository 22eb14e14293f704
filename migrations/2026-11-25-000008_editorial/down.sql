DROP TABLE site_content, site_pages, insights, podcasts, posts;
